// Gives up what a decoder of strangers' files does not need, for good.
#pragma once

enum {
    // Landlock: no file can be opened, changed or deleted, no TCP port used, no process outside
    // signalled (Linux 5.13, 6.7 and 6.12).
    ccage_landlock = 1,
    // seccomp: no system call but those for reading, memory and answers.
    ccage_seccomp = 2,
};

// Cages this process, which must have one thread; what it has open it keeps. It may use
// memory_bytes of address space and a few descriptors, and write no file.
//
// Returns which of the two the kernel has: they hold from now on.
int ccage_enter(unsigned long memory_bytes);
