#include "vectors.h"

#include <string.h>

// Polynomials of least error over an octave (Remez, 1934) instead of the system's functions: an
// eighth of the time, and the same bits on every machine.

#define DECIBELS_PER_OCTAVE 3.0103f

INLINE void take_decibels(Sixteen *value) {
    const SixteenBits bits = (SixteenBits)*value;
    // The octave goes from the root of a half to that of two, so that one is exact.
    const SixteenBits octave = (bits - 0x3f3504f3) >> 23;
    const Sixteen x = (Sixteen)(bits - octave * 0x800000) - 1;
    Sixteen sum = x * -0.6219028f + 0.969782506f;
    sum = sum * x - 1.10625511f;
    sum = sum * x + 1.44298133f;
    sum = sum * x - 2.1708232f;
    sum = sum * x + 4.34300033f;
    const Sixteen octaves = (Sixteen)(octave + WHOLE_BITS) - WHOLE;
    *value = sum * x + octaves * DECIBELS_PER_OCTAVE;
}

INLINE void take_exponential(Sixteen *value) {
    const Sixteen shifted = *value + WHOLE;
    const Sixteen x = *value - (shifted - WHOLE);
    Sixteen sum = x * 0.00968571096f + 0.0559220257f;
    sum = sum * x + 0.240218655f;
    sum = sum * x + 0.693121036f;
    sum = sum * x + 1;
    *value = (Sixteen)((SixteenBits)sum + ((SixteenBits)shifted - WHOLE_BITS) * 0x800000);
}

/// Brings numbers to something else where they stand, sixteen at a time and the rest one by one.
INLINE void take_each(void (*take)(Sixteen *), float *numbers, long count) {
    long place = 0;
    for (; place + 16 <= count; place += 16) {
        Sixteen values;
        load_wide(&values, numbers + place);
        take(&values);
        store_wide(numbers + place, &values);
    }
    for (; place < count; place++) {
        Sixteen values = {numbers[place]};
        take(&values);
        numbers[place] = values[0];
    }
}

WIDEST void lanes_decibels(float *powers, long count) { take_each(take_decibels, powers, count); }

WIDEST void lanes_exponentials(float *numbers, long count) {
    take_each(take_exponential, numbers, count);
}

WIDEST void lanes_levels(const float *sums, float least, float *rows) {
    for (long lane = 0; lane < LANES_CHANNELS; lane += 4) {
        Sixteen columns[4], quarters[4];
        for (long column = 0; column < 4; column++) {
            load_wide(&columns[column], sums + 16 * (lane + column));
            columns[column] += least;
            take_decibels(&columns[column]);
        }
        turn_blocks(columns, quarters);
        for (long row = 0; row < 16; row++) {
            const Sixteen values = quarters[row % 4];
            for (long column = 0; column < 4; column++) {
                rows[row * LANES_CHANNELS + lane + column] = values[row / 4 * 4 + column];
            }
        }
    }
}

/// How far some lanes lie over the floor, within limits.
INLINE void rise(Sixteen *lanes, const Sixteen *floor, float lowest, float highest) {
    const Sixteen rise = *lanes - *floor;
    const Sixteen low = (Sixteen){0} + lowest, high = (Sixteen){0} + highest;
    const SixteenBits isIn = rise >= low, isOver = rise > high;
    const SixteenBits inside = ((SixteenBits)rise & isIn) | ((SixteenBits)low & ~isIn);
    *lanes = (Sixteen)((inside & ~isOver) | ((SixteenBits)high & isOver));
}

/// The sum of the lanes of a row, each times its weight; the upper ones are the first eight of
/// `high`.
INLINE float weighted(const Sixteen *low, const Sixteen *high, const float *weights) {
    Row own;
    load_row(&own, weights);
    own.low *= *low;
    own.high *= SHUFFLE(*high, *high, 0, 1, 2, 3, 4, 5, 6, 7);
    const Eight sums =
        SHUFFLE(own.low, own.low, 0, 1, 2, 3, 4, 5, 6, 7)
        + SHUFFLE(own.low, own.low, 8, 9, 10, 11, 12, 13, 14, 15) + own.high;
    return folded(&sums);
}

WIDEST void lanes_rises(
    const float *rows, const float *floors, long rowCount, float lowest, float highest,
    float exponent, const float *weights, float *rises, float *sums) {
    for (long row = 0; row < rowCount; row++) {
        Sixteen low, high, lowFloor, highFloor;
        load_halves(&low, &high, rows + row * LANES_CHANNELS);
        load_halves(&lowFloor, &highFloor, floors + row * LANES_CHANNELS);
        rise(&low, &lowFloor, lowest, highest);
        rise(&high, &highFloor, lowest, highest);
        const Eight upper = SHUFFLE(high, high, 0, 1, 2, 3, 4, 5, 6, 7);
        store_wide(rises + row * LANES_CHANNELS, &low);
        store(rises + row * LANES_CHANNELS + 16, &upper);
        low *= exponent;
        high *= exponent;
        take_exponential(&low);
        take_exponential(&high);
        sums[2 * row] = weighted(&low, &high, weights);
        sums[2 * row + 1] = weighted(&low, &high, weights + LANES_CHANNELS);
    }
}

WIDEST void lanes_narrow_rows(
    const float *rows, long rowCount, long count, float lowest, float perUnit, uint8_t *bytes) {
    for (long row = 0; row < rowCount; row++) {
        uint8_t units[LANES_CHANNELS];
        for (long lane = 0; lane < LANES_CHANNELS; lane++) {
            const float place = (rows[row * LANES_CHANNELS + lane] - lowest) * perUnit;
            const float low = place >= 0 ? place : 0;
            units[lane] = (uint8_t)(((low < 255 ? low : 255) + WHOLE) - WHOLE);
        }
        memcpy(bytes + row * count, units, (size_t)count);
    }
}

WIDEST void lanes_widen_rows(
    const uint8_t *bytes, long rowCount, long count, float lowest, float unit, long stride,
    int16_t *rows) {
    for (long row = 0; row < rowCount; row++) {
        for (long lane = 0; lane < count; lane++) {
            const float number = bytes[row * count + lane] * unit + lowest;
            rows[row * stride + lane] = (int16_t)((number + WHOLE) - WHOLE);
        }
    }
}
