#define _GNU_SOURCE

#include "library_output.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Of this thread alone, so nobody else reads or writes them. `kept <= LIBRARY_OUTPUT_ROOM` always.
static _Thread_local char text[LIBRARY_OUTPUT_ROOM];
static _Thread_local long kept;
static _Thread_local int depth;

/// Takes what is printed to a stream; runs on the thread that prints, as the streams hold nothing
/// back. Returns how many bytes were taken: fewer than `count` is an error to the C library.
static ssize_t take(void *cookie, const char *bytes, size_t count) {
    if (depth > 0) {
        const size_t room = (size_t)(LIBRARY_OUTPUT_ROOM - kept);
        const size_t fitting = count < room ? count : room;
        memcpy(text + kept, bytes, fitting);
        kept += (long)fitting;
        return (ssize_t)count;
    }
    size_t done = 0;
    while (done < count) {
        const ssize_t written = write((int)(intptr_t)cookie, bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        done += (size_t)written;
    }
    return (ssize_t)done;
}

/// A stream without a buffer for a descriptor; NULL where there is no memory.
static FILE *stream(int descriptor) {
    const cookie_io_functions_t functions = {.write = take};
    FILE *opened = fopencookie((void *)(intptr_t)descriptor, "w", functions);
    if (opened != NULL) setvbuf(opened, NULL, _IONBF, 0);
    return opened;
}

/// Before `main`, so no other thread is there that could be printing.
__attribute__((constructor)) static void replace_streams(void) {
    FILE *output = stream(STDOUT_FILENO), *error = stream(STDERR_FILENO);
    if (output != NULL) stdout = output;
    if (error != NULL) stderr = error;
}

long library_output_begin(void) {
    depth++;
    return kept;
}

const char *library_output_end(long start, long *count) {
    *count = kept - start;
    kept = start;
    depth--;
    return text + start;
}

void library_output_print(const char *text) { fputs(text, stderr); }
