#pragma once

/// Keeps apart what C libraries print while they work for one thread.
///
/// libsndfile prints to standard output, and libmpg123 to standard error, where what they decode is
/// not as it should be. When the program starts, other streams are put in the place of `stdout` and
/// `stderr`, which the GNU C library allows (glibc manual, 12.2). What a thread prints between the
/// two calls below is kept for it; everything else goes to descriptors 1 and 2 at once.

/// Bytes that are kept of a thread; what is printed beyond is dropped.
#define LIBRARY_OUTPUT_ROOM 2048

/// Begins to keep what this thread prints; returns how much is kept of it already, as one may begin
/// again before the end.
long library_output_begin(void);

/// Ends what `library_output_begin` began on this thread by returning `start`. Returns what was
/// printed since: `count` bytes without a zero behind them, there until the thread prints again.
const char *_Nonnull library_output_end(long start, long *_Nonnull count);

/// Prints a text as a library of this thread does.
void library_output_print(const char *_Nonnull text);
