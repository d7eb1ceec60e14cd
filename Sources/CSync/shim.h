// The system's syncfs(2) and renameat2(2), whose declarations the C library keeps back unless
// _GNU_SOURCE is set, and statfs(2), which Swift's module of the C library leaves out.
#pragma once

#ifdef __linux__
#include <sys/vfs.h>

int syncfs(int descriptor);

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
int renameat2(
    int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);
#endif
