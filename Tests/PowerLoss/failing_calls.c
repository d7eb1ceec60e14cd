// Preloaded into a run: has its calls that change files below a folder fail, from the Nth on.
//
// FAIL_BELOW: the folder. FAIL_AT: N, from 1. FAIL_WITH: the error's number. FAIL_ONCE: set to have
// only the Nth fail. FAIL_COUNT: a file that gets the number of such calls when the run ends.
// FAIL_KILLS: set to have the Nth end the process as `kill -9` does.
//
// ENOSPC fails what needs room, EROFS what changes anything, EIO also what reads.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GROWS = 1, CHANGES = 2, SYNCS = 4, READS = 8 };

static atomic_long count;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int is_below(int folder, const char *path) {
    const char *top = getenv("FAIL_BELOW");
    char link[64], full[2 * PATH_MAX];
    size_t length = 0;
    if (!top) return 0;
    if (!path || (path[0] != '/' && folder != AT_FDCWD)) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t got = readlink(link, full, PATH_MAX);
        if (got < 0) return 0;
        length = (size_t)got;
    }
    snprintf(full + length, sizeof full - length, "%s%s", length ? "/" : "", path ? path : "");
    size_t size = strlen(top);
    return strncmp(full, top, size) == 0 && (full[size] == '/' || full[size] == 0);
}

// Whether this call is to fail; sets errno.
static int fails(int kind, int folder, const char *path) {
    int before = errno, error = (int)number("FAIL_WITH");
    int kinds = error == ENOSPC ? GROWS | SYNCS : error == EROFS ? GROWS | CHANGES
                                                               : GROWS | CHANGES | SYNCS | READS;
    if (!error || !(kinds & kind) || !is_below(folder, path)) {
        errno = before;
        return 0;
    }
    long own = atomic_fetch_add(&count, 1) + 1, at = number("FAIL_AT");
    int is_now = at && (getenv("FAIL_ONCE") ? own == at : own >= at);
    if (is_now && getenv("FAIL_KILLS")) kill(getpid(), SIGKILL);
    errno = is_now ? error : before;
    return is_now;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld", atomic_load(&count));
    fclose(file);
}

// A function with the name and the parameters of the one that it stands for.
#define STAND_IN(result, name, kind, folder, path, parameters, ...)                               \
    result name parameters {                                                                      \
        static result(*original) parameters;                                                      \
        if (!original) original = (result(*) parameters)dlsym(RTLD_NEXT, #name);                  \
        if (fails(kind, folder, path)) return -1;                                                 \
        return original(__VA_ARGS__);                                                             \
    }

STAND_IN(ssize_t, write, GROWS, f, NULL, (int f, const void *b, size_t n), f, b, n)
STAND_IN(ssize_t, pwrite, GROWS, f, NULL, (int f, const void *b, size_t n, off_t o), f, b, n, o)
STAND_IN(ssize_t, pwrite64, GROWS, f, NULL, (int f, const void *b, size_t n, off_t o), f, b, n, o)
STAND_IN(ssize_t, read, READS, f, NULL, (int f, void *b, size_t n), f, b, n)
STAND_IN(ssize_t, pread, READS, f, NULL, (int f, void *b, size_t n, off_t o), f, b, n, o)
STAND_IN(ssize_t, pread64, READS, f, NULL, (int f, void *b, size_t n, off_t o), f, b, n, o)
STAND_IN(int, ftruncate, CHANGES, f, NULL, (int f, off_t n), f, n)
STAND_IN(int, ftruncate64, CHANGES, f, NULL, (int f, off_t n), f, n)
STAND_IN(int, fallocate, GROWS, f, NULL, (int f, int m, off_t o, off_t n), f, m, o, n)
STAND_IN(int, fsync, SYNCS, f, NULL, (int f), f)
STAND_IN(int, fdatasync, SYNCS, f, NULL, (int f), f)
STAND_IN(int, syncfs, SYNCS, f, NULL, (int f), f)
STAND_IN(int, futimens, CHANGES, f, NULL, (int f, const struct timespec t[2]), f, t)
STAND_IN(int, utimensat, CHANGES, f, p, (int f, const char *p, const struct timespec t[2], int g),
         f, p, t, g)
STAND_IN(int, rename, CHANGES, AT_FDCWD, q, (const char *p, const char *q), p, q)
STAND_IN(int, renameat, CHANGES, g, q, (int f, const char *p, int g, const char *q), f, p, g, q)
STAND_IN(int, renameat2, CHANGES, g, q,
         (int f, const char *p, int g, const char *q, unsigned int m), f, p, g, q, m)
STAND_IN(int, linkat, GROWS, g, q, (int f, const char *p, int g, const char *q, int m), f, p, g,
         q, m)
STAND_IN(int, unlink, CHANGES, AT_FDCWD, p, (const char *p), p)
STAND_IN(int, unlinkat, CHANGES, f, p, (int f, const char *p, int m), f, p, m)
STAND_IN(int, rmdir, CHANGES, AT_FDCWD, p, (const char *p), p)
STAND_IN(int, mkdir, GROWS, AT_FDCWD, p, (const char *p, mode_t m), p, m)
STAND_IN(int, mkdirat, GROWS, f, p, (int f, const char *p, mode_t m), f, p, m)

static int open_kind(int flags) {
    if (flags & O_CREAT) return GROWS;
    return (flags & O_ACCMODE) == O_RDONLY ? READS : CHANGES;
}

// The mode is passed on even where there is none; nothing reads it then.
#define STAND_IN_FOR_OPEN(name, folder, parameters, ...)                                          \
    int name parameters {                                                                         \
        static int(*original) parameters;                                                         \
        va_list rest;                                                                             \
        va_start(rest, flags);                                                                    \
        int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;                       \
        va_end(rest);                                                                             \
        if (!original) original = (int(*) parameters)dlsym(RTLD_NEXT, #name);                     \
        if (fails(open_kind(flags), folder, path)) return -1;                                     \
        return original(__VA_ARGS__, mode);                                                       \
    }

STAND_IN_FOR_OPEN(open, AT_FDCWD, (const char *path, int flags, ...), path, flags)
STAND_IN_FOR_OPEN(open64, AT_FDCWD, (const char *path, int flags, ...), path, flags)
STAND_IN_FOR_OPEN(openat, f, (int f, const char *path, int flags, ...), f, path, flags)
STAND_IN_FOR_OPEN(openat64, f, (int f, const char *path, int flags, ...), f, path, flags)
