// The system's syncfs(2), whose declaration the C library keeps back unless _GNU_SOURCE is set, and
// statfs(2), which Swift's module of the C library leaves out.
#pragma once

#ifdef __linux__
#include <sys/vfs.h>

int syncfs(int descriptor);
#endif
