// The system's syncfs(2) and renameat2(2), whose declarations the C library keeps back unless
// _GNU_SOURCE is set, and statfs(2), which Swift's module of the C library leaves out; writing past
// the system's cache (open(2), O_DIRECT), which each system has in its own way.
#pragma once

#include <fcntl.h>
#include <linux/stat.h>
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

// Has a file written past the cache from here on, out of memory, to places and in lengths that are
// all multiples of `unit` bytes; 0 where its file system does not say that it can do that.
static inline int begin_direct_writing(int descriptor, unsigned unit) {
#ifdef STATX_DIOALIGN
    struct statx info;
    if (syscall(SYS_statx, descriptor, "", 0x1000 /* AT_EMPTY_PATH */, STATX_DIOALIGN, &info) != 0
        || !(info.stx_mask & STATX_DIOALIGN) || info.stx_dio_offset_align == 0
        || unit % info.stx_dio_offset_align != 0 || info.stx_dio_mem_align == 0
        || unit % info.stx_dio_mem_align != 0) {
        return 0;
    }
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | __O_DIRECT) == 0;
#else
    (void)descriptor;
    (void)unit;
    return 0;
#endif
}

// Has it written through the cache again.
static inline void end_direct_writing(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0) fcntl(descriptor, F_SETFL, flags & ~__O_DIRECT);
}
