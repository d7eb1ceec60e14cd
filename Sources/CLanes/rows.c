#include "vectors.h"

#include <string.h>

// Minimax polynomials over an octave (Remez, 1934) replace the system's functions: they take an
// eighth of the time and give the same bits on every machine.

#define DECIBELS_PER_OCTAVE 3.0103f

INLINE float decibels(float power) {
    const int32_t bits = bits_of(power);
    // The octave runs from sqrt(1/2) to sqrt(2), so that 1 is exact.
    const int32_t octave = (bits - 0x3f3504f3) >> 23;
    const float x = number_of(bits - octave * 0x800000) - 1;
    float sum = x * -0.6219028f + 0.969782506f;
    sum = sum * x - 1.10625511f;
    sum = sum * x + 1.44298133f;
    sum = sum * x - 2.1708232f;
    sum = sum * x + 4.34300033f;
    return sum * x + (float)octave * DECIBELS_PER_OCTAVE;
}

INLINE float exponential(float number) {
    const float shifted = number + WHOLE;
    const float x = number - (shifted - WHOLE);
    float sum = x * 0.00968571096f + 0.0559220257f;
    sum = sum * x + 0.240218655f;
    sum = sum * x + 0.693121036f;
    sum = sum * x + 1;
    return number_of(bits_of(sum) + (bits_of(shifted) - WHOLE_BITS) * 0x800000);
}

WIDEST void lanes_decibels(float *powers, long count) {
    for (long place = 0; place < count; place++) powers[place] = decibels(powers[place]);
}

WIDEST void lanes_exponentials(float *numbers, long count) {
    for (long place = 0; place < count; place++) numbers[place] = exponential(numbers[place]);
}

WIDEST void lanes_levels(const float *sums, float least, float *rows) {
    float levels[LANES_SPECTRA * LANES_CHANNELS];
    for (long place = 0; place < LANES_SPECTRA * LANES_CHANNELS; place++) {
        levels[place] = decibels(sums[place] + least);
    }
    for (long row = 0; row < LANES_SPECTRA; row++) {
        for (long lane = 0; lane < LANES_CHANNELS; lane++) {
            rows[row * LANES_CHANNELS + lane] = levels[lane * LANES_SPECTRA + row];
        }
    }
}

/// The weighted sum of a row's lanes, of which there are three times eight.
INLINE float weighted(const float *lanes, const float *weights) {
    float sums[8];
    for (long lane = 0; lane < 8; lane++) {
        sums[lane] = lanes[lane] * weights[lane] + lanes[lane + 8] * weights[lane + 8]
            + lanes[lane + 16] * weights[lane + 16];
    }
    return folded(sums, 8);
}

WIDEST void lanes_rises(
    const float *rows, const float *floors, long rowCount, float lowest, float highest,
    float exponent, const float *weights, float *rises, float *sums) {
    for (long row = 0; row < rowCount; row++) {
        float powers[LANES_CHANNELS];
#pragma clang loop vectorize(assume_safety)
        for (long lane = 0; lane < LANES_CHANNELS; lane++) {
            const long place = row * LANES_CHANNELS + lane;
            const float rise = rows[place] - floors[place];
            const float low = rise >= lowest ? rise : lowest;
            rises[place] = low > highest ? highest : low;
            powers[lane] = exponential(rises[place] * exponent);
        }
        sums[2 * row] = weighted(powers, weights);
        sums[2 * row + 1] = weighted(powers, weights + LANES_CHANNELS);
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
