// memfd_create(2), pipe2(2) and posix_spawn_file_actions_addclosefrom_np, whose declarations the C
// library keeps back unless _GNU_SOURCE is set.
//
// Messages with a file descriptor over a socket (unix(7), SCM_RIGHTS): the macros for their headers
// cannot be used from Swift.
#pragma once

#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int memfd_create(const char *name, unsigned int flags);
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1U
#endif

union descriptor_header {
    struct cmsghdr aligned;
    char bytes[CMSG_SPACE(sizeof(int))];
};

// Sends a message, with a descriptor unless that is negative; returns what sendmsg(2) does.
static inline long send_with_descriptor(
    int socket, const void *message, size_t count, int descriptor) {
    struct iovec part = {(void *)message, count};
    struct msghdr header = {0};
    union descriptor_header control = {0};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptor >= 0) {
        header.msg_control = control.bytes;
        header.msg_controllen = sizeof control.bytes;
        struct cmsghdr *first = CMSG_FIRSTHDR(&header);
        first->cmsg_level = SOL_SOCKET;
        first->cmsg_type = SCM_RIGHTS;
        first->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(first), &descriptor, sizeof(int));
    }
    return sendmsg(socket, &header, MSG_NOSIGNAL);
}

// Receives a message and the descriptor that came with it, -1 if none did; returns what recvmsg(2)
// does.
static inline long receive_with_descriptor(
    int socket, void *message, size_t count, int *descriptor) {
    struct iovec part = {message, count};
    struct msghdr header = {0};
    union descriptor_header control = {0};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control.bytes;
    *descriptor = -1;
    long received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    struct cmsghdr *first = received < 0 ? NULL : CMSG_FIRSTHDR(&header);
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
        memcpy(descriptor, CMSG_DATA(first), sizeof(int));
    }
    return received;
}
