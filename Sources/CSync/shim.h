// The system's syncfs(2) and renameat2(2), whose declarations the C library keeps back unless
// _GNU_SOURCE is set, openat2(2), which it does not have, and statfs(2) and mallopt(3), which
// Swift's module of the C library omits.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

int syncfs(int descriptor);

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif
int renameat2(
    int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);

// When a file was made, in nanoseconds since 1970; 0 where its file system does not say.
static inline long long birth_nanoseconds(int folder, const char *name, int flags) {
    struct statx info;
    if (syscall(SYS_statx, folder, name, flags, STATX_BTIME, &info) != 0) return 0;
    if (!(info.stx_mask & STATX_BTIME)) return 0;
    return (long long)((unsigned long long)info.stx_btime.tv_sec * 1000000000ULL)
        + info.stx_btime.tv_nsec;
}

// Opens a file for reading that lies below a folder, links included: a path that leads out of it,
// even if it changes meanwhile, fails with EXDEV.
static inline int open_beneath(int folder, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK, .resolve = RESOLVE_BENEATH};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}
