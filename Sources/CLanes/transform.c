#include "vectors.h"

// MARK: - Eight lanes, twice

#define Lanes Eight
#define LANE_COUNT 8
#define NAMED(name) eight_lanes_##name

/// Rows to columns: first in blocks of four by four, then the blocks.
INLINE void NAMED(transpose)(Lanes rows[8], Lanes columns[8]) {
    Lanes pairs[8];
    for (long row = 0; row < 8; row += 2) {
        const Lanes one = rows[row], other = rows[row + 1];
        pairs[row] = SHUFFLE(one, other, 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[row + 1] = SHUFFLE(one, other, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (long row = 0; row < 8; row += 4) {
        for (long part = 0; part < 2; part++) {
            const Lanes one = pairs[row + part], other = pairs[row + part + 2];
            rows[row + 2 * part] = SHUFFLE(one, other, 0, 1, 8, 9, 4, 5, 12, 13);
            rows[row + 2 * part + 1] = SHUFFLE(one, other, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (long row = 0; row < 4; row++) {
        const Lanes one = rows[row], other = rows[row + 4];
        columns[row] = SHUFFLE(one, other, 0, 1, 2, 3, 8, 9, 10, 11);
        columns[row + 4] = SHUFFLE(one, other, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#include "butterflies.h"

#undef Lanes
#undef LANE_COUNT
#undef NAMED

// MARK: - Sixteen lanes

#define Lanes Sixteen
#define LANE_COUNT 16
#define NAMED(name) sixteen_lanes_##name

/// The halves of the quarters of two vectors.
INLINE void join_quarters(const Sixteen *one, const Sixteen *other, Sixteen *low, Sixteen *high) {
    *low = SHUFFLE(*one, *other, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    *high = SHUFFLE(*one, *other, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
}

/// Rows to columns: first in blocks of four by four, then the blocks.
INLINE void NAMED(transpose)(Lanes rows[16], Lanes columns[16]) {
    Lanes blocks[16];
    for (long row = 0; row < 16; row += 4) turn_blocks(&rows[row], &blocks[row]);
    for (long row = 0; row < 4; row++) {
        Lanes low, high, lower, higher;
        join_quarters(&blocks[row], &blocks[row + 4], &low, &high);
        join_quarters(&blocks[row + 8], &blocks[row + 12], &lower, &higher);
        columns[row] = SHUFFLE(low, lower, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
        columns[row + 4] =
            SHUFFLE(low, lower, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
        columns[row + 8] =
            SHUFFLE(high, higher, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
        columns[row + 12] =
            SHUFFLE(high, higher, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
}

#include "butterflies.h"

// MARK: - Whatever the processor has

ONLY_WIDE static void transform_wide(
    float *numbers, long count, const LanesStep *steps, long stepCount, int squares) {
    sixteen_lanes_transform(numbers, count, steps, stepCount, squares);
}

NARROWER static void transform_narrower(
    float *numbers, long count, const LanesStep *steps, long stepCount, int squares) {
    eight_lanes_transform(numbers, count, steps, stepCount, squares);
}

void lanes_transform(
    float *numbers, long count, const LanesStep *steps, long stepCount, int squares) {
    if (IS_WIDE) {
        transform_wide(numbers, count, steps, stepCount, squares);
    } else {
        transform_narrower(numbers, count, steps, stepCount, squares);
    }
}

ONLY_WIDE static long lay_wide(
    const float *samples, const long *firsts, const long *seconds, const float *window,
    long count, float *numbers) {
    return seconds ? sixteen_lanes_lay_apart(samples, firsts, seconds, window, count, numbers)
                   : sixteen_lanes_lay_neighbours(samples, firsts, window, count, numbers);
}

NARROWER static long lay_narrower(
    const float *samples, const long *firsts, const long *seconds, const float *window,
    long count, float *numbers) {
    return seconds ? eight_lanes_lay_apart(samples, firsts, seconds, window, count, numbers)
                   : eight_lanes_lay_neighbours(samples, firsts, window, count, numbers);
}

/// Whether each second signal lies between the samples of the first one.
static int are_neighbours(const long *firsts, const long *seconds, long stride) {
    if (stride != 2) return 0;
    for (long lane = 0; lane < LANES_TRANSFORMS; lane++) {
        if (seconds[lane] != firsts[lane] + 1) return 0;
    }
    return 1;
}

void lanes_lay_signals(
    const float *samples, const long *firsts, const long *seconds, long stride,
    const float *window, long count, float *numbers) {
    long place = 0;
    const int neighbours = are_neighbours(firsts, seconds, stride);
    if (neighbours || stride == 1) {
        const long *apart = neighbours ? 0 : seconds;
        place = IS_WIDE ? lay_wide(samples, firsts, apart, window, count, numbers)
                        : lay_narrower(samples, firsts, apart, window, count, numbers);
    }
    for (; place < count; place++) {
        float *number = numbers + place * 2 * LANES_TRANSFORMS;
        for (long lane = 0; lane < LANES_TRANSFORMS; lane++) {
            const float *sample = samples + place * stride;
            number[lane] = sample[firsts[lane]] * window[place];
            number[lane + LANES_TRANSFORMS] = sample[seconds[lane]] * window[place];
        }
    }
}
