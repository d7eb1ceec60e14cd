// The system's syncfs(2), whose declaration the C library keeps back unless _GNU_SOURCE is set.
#pragma once

#ifdef __linux__
int syncfs(int descriptor);
#endif
