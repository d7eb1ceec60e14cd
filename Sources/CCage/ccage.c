#include "ccage.h"

#include <errno.h>
#include <linux/types.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// As in linux/landlock.h, of which older systems have only a part.
struct ruleset {
    __u64 files;
    __u64 ports;
    __u64 scopes;
};
enum { ask_version = 1, all_ports = 3, all_scopes = 3 };

// The rights over files that each version of Landlock added.
static __u64 all_files(long version) {
    int rights = version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16;
    return ((__u64)1 << rights) - 1;
}

// Takes all rights that Landlock knows, with no exception.
static int enter_landlock(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ask_version);
    if (version < 1) return 0;
    struct ruleset rules = {
        .files = all_files(version),
        .ports = version < 4 ? 0 : all_ports,
        .scopes = version < 6 ? 0 : all_scopes,
    };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) return 0;
    long number = syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return number == 0;
}

// What decoding takes. Anything else fails with EPERM, which libraries survive.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(close),
    SCMP_SYS(dup), SCMP_SYS(recvmsg), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk),
    SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// The C library reads the status of an open file by this call, with an empty path.
static int allow_status_of_open_files(scmp_filter_ctx filter) {
    enum { at_empty_path = 0x1000 };
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), 1, SCMP_A3(SCMP_CMP_EQ, at_empty_path));
}

// Answers go over the socket it was given: to no address.
static int allow_answers(scmp_filter_ctx filter) {
    return seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, SCMP_A4(SCMP_CMP_EQ, 0));
}

// Memory, but none that can be executed.
static int allow_memory(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp plain = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    int number = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, plain);
    return number ? number
                  : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, plain);
}

static int enter_seccomp(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return 0;
    int number = 0;
    for (size_t index = 0; !number && index < sizeof allowed / sizeof *allowed; ++index) {
        number = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[index], 0);
    }
    if (!number) number = allow_status_of_open_files(filter);
    if (!number) number = allow_answers(filter);
    if (!number) number = allow_memory(filter);
    if (!number) number = seccomp_load(filter);
    seccomp_release(filter);
    return number == 0;
}

static void limit(__rlimit_resource_t resource, rlim_t most) {
    const struct rlimit both = {most, most};
    setrlimit(resource, &both);
}

// A crash ends the process at once: the handlers of Swift's runtime start a program, which the cage
// forbids, and would wait for it for ever.
static void end_on_crash(void) {
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; ++index) {
        signal(crashes[index], SIG_DFL);
    }
}

int ccage_enter(unsigned long memory_bytes) {
    end_on_crash();
    limit(RLIMIT_AS, memory_bytes);
    // Of files; shared memory has its size already.
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_NOFILE, 16);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // Both mechanisms ask for it.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
    int held = 0;
    if (enter_landlock()) held |= ccage_landlock;
    // Last: it forbids the calls above.
    if (enter_seccomp()) held |= ccage_seccomp;
    return held;
}
