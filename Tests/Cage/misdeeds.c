// Makes a decoder of tapedeck-decoder misbehave: to be preloaded (LD_PRELOAD).
//
// What a file is to bring about is the end of the file: "misdeed=", a word, and for some a path. It
// happens when a library opens the file; then decoding goes on as usual. What became of it is
// printed as libraries print, so that it is the recording's message.
//
// CAGE_LACKS says what the kernel is to be without: any of "landlock" and "seccomp".
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lacks(const char *means) {
    const char *all = getenv("CAGE_LACKS");
    return all && strstr(all, means);
}

// The C library's function for system calls that it has no other for.
long syscall(long number, ...) {
    if (lacks("landlock") && number == SYS_landlock_create_ruleset) {
        errno = ENOSYS;
        return -1;
    }
    long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
    long given[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; ++index) given[index] = va_arg(list, long);
    va_end(list);
    return real(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

int seccomp_load(void *filter) {
    int (*real)(void *) = dlsym(RTLD_NEXT, "seccomp_load");
    return lacks("seccomp") ? -ENOSYS : real(filter);
}

// The recording, which the helper got after its socket (3) and memory (4).
static int recording(void) {
    for (int number = 5; number < 16; ++number) {
        struct stat status;
        if (fstat(number, &status) == 0 && S_ISREG(status.st_mode)) return number;
    }
    return -1;
}

// Whether there is a descriptor; closes it, as one helper serves many recordings, and the next one
// would be mistaken for a file that an earlier one left open.
static int opened(int number) {
    return number >= 0 && close(number) == 0;
}

static int connects(int type) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int number = socket(AF_INET, type, 0);
    if (number < 0) return 0;
    // Nobody listens there, but the kernel would have asked.
    int asked = connect(number, (struct sockaddr *)&address, sizeof address) == 0
        || errno == ECONNREFUSED;
    int reason = errno;
    close(number);
    errno = reason;
    return asked;
}

static int forks(void) {
    char *words[] = {"true", NULL};
    pid_t child;
    errno = posix_spawn(&child, "/bin/true", NULL, NULL, words, NULL);
    return errno == 0;
}

static int takes(size_t bytes) {
    char *memory = malloc(bytes);
    if (!memory) return 0;
    for (size_t place = 0; place < bytes; place += 4096) memory[place] = 1;
    free(memory);
    return 1;
}

static int maps_code(void) {
    const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    return mmap(NULL, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static int execs(void) {
    char *words[] = {"true", NULL};
    return execv("/bin/true", words) == 0;
}

// Whether what the word says was done.
static int did(const char *word, const char *path) {
    if (!strcmp(word, "read")) return opened(open("/etc/passwd", O_RDONLY));
    if (!strcmp(word, "list")) return opened(open("/", O_RDONLY | O_DIRECTORY));
    if (!strcmp(word, "create")) return opened(open(path, O_CREAT | O_WRONLY, 0600));
    if (!strcmp(word, "delete")) return unlink(path) == 0;
    if (!strcmp(word, "rename")) return rename(path, "/tmp/stolen") == 0;
    if (!strcmp(word, "write")) return write(recording(), "x", 1) == 1;
    if (!strcmp(word, "truncate")) return ftruncate(recording(), 0) == 0;
    if (!strcmp(word, "tcp")) return connects(SOCK_STREAM);
    if (!strcmp(word, "udp")) return connects(SOCK_DGRAM);
    if (!strcmp(word, "unix")) return opened(socket(AF_UNIX, SOCK_STREAM, 0));
    if (!strcmp(word, "fork")) return forks();
    if (!strcmp(word, "exec")) return execs();
    if (!strcmp(word, "signal")) return kill(getppid(), 0) == 0;
    if (!strcmp(word, "memory")) return takes((size_t)10 << 30);
    if (!strcmp(word, "code")) return maps_code();
    // Past its limit, the memory that it shares with tapedeck.
    if (!strcmp(word, "grow")) return ftruncate(4, (off_t)1 << 32) == 0;
    if (!strcmp(word, "crash")) *(volatile char *)(uintptr_t)8 = 1;
    if (!strcmp(word, "spin")) for (volatile int turn = 0;; turn = turn + 1) {}
    errno = EINVAL;
    return 0;
}

static void misbehave(void) {
    struct stat status;
    char end[1024] = "";
    int number = recording();
    if (number < 0 || fstat(number, &status)) return;
    off_t start = status.st_size > 1000 ? status.st_size - 1000 : 0;
    ssize_t count = pread(number, end, sizeof end - 1, start);
    char *found = count > 0 ? memmem(end, (size_t)count, "misdeed=", 8) : NULL;
    if (!found) return;
    char word[16] = "", path[512] = "";
    sscanf(found + 8, "%15s %511s", word, path);
    errno = 0;
    fprintf(stderr, "%s: %s\n", word, did(word, path) ? "done" : strerror(errno));
}

// Of libsndfile.
void *sf_open_virtual(void *functions, int mode, void *info, void *own) {
    void *(*real)(void *, int, void *, void *) = dlsym(RTLD_NEXT, "sf_open_virtual");
    misbehave();
    return real(functions, mode, info, own);
}

// Of libav.
int avformat_open_input(void **context, const char *url, const void *format, void **options) {
    int (*real)(void **, const char *, const void *, void **) =
        dlsym(RTLD_NEXT, "avformat_open_input");
    misbehave();
    return real(context, url, format, options);
}
