#include "vectors.h"

#define PARTS (LANES_GROUP / 16)

INLINE void take_centre(const float *samples, float weight, Sixteen sums[PARTS]) {
    for (long part = 0; part < PARTS; part++) {
        load_wide(&sums[part], samples + 16 * part);
        sums[part] *= weight;
    }
}

INLINE void write_sums(const Sixteen sums[PARTS], float *outputs) {
    for (long part = 0; part < PARTS; part++) store_wide(outputs + 16 * part, &sums[part]);
}

/// Sixteen numbers of two vectors that lie side by side, from one on that is known beforehand.
#define SHIFTED(one, other, n) \
    SHUFFLE( \
        one, other, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, \
        n + 11, n + 12, n + 13, n + 14, n + 15)

/// Adds a tap of an arm, unless there are no more.
#define ADD_TAP(tap, shift) \
    if (tap == tapCount) return; \
    for (long part = 0; part < PARTS; part++) { \
        sums[part] += weights[tap] \
            * (SHIFTED(back[part], back[part + 1], 16 - shift) \
               + *(const Sixteen *)(after + 16 * part + shift)); \
    }

/// Adds an arm of up to sixteen taps for one channel, or eight for two.
///
/// Vectors that are loaded for each tap lie over two lines of the cache nearly always, and are
/// loaded twice. So those on one side are loaded once and shifted, while those on the other load.
INLINE void add_taps(
    const float *before, const float *after, const float *weights, long tapCount, long channels,
    Sixteen sums[PARTS]) {
    Sixteen back[PARTS + 1];
    for (long part = 0; part <= PARTS; part++) load_wide(&back[part], before - 16 + 16 * part);
    if (channels == 2) {
        ADD_TAP(0, 0) ADD_TAP(1, 2) ADD_TAP(2, 4) ADD_TAP(3, 6)
        ADD_TAP(4, 8) ADD_TAP(5, 10) ADD_TAP(6, 12) ADD_TAP(7, 14)
    } else {
        ADD_TAP(0, 0) ADD_TAP(1, 1) ADD_TAP(2, 2) ADD_TAP(3, 3)
        ADD_TAP(4, 4) ADD_TAP(5, 5) ADD_TAP(6, 6) ADD_TAP(7, 7)
        ADD_TAP(8, 8) ADD_TAP(9, 9) ADD_TAP(10, 10) ADD_TAP(11, 11)
        ADD_TAP(12, 12) ADD_TAP(13, 13) ADD_TAP(14, 14) ADD_TAP(15, 15)
    }
}

INLINE void low_pass_shifting(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count) {
    const long tapCount = filter->tapCount, most = 16 / channels;
    for (long place = 0; place < count; place += LANES_GROUP) {
        Sixteen sums[PARTS];
        take_centre(samples + place + filter->centre, filter->centreWeight, sums);
        const float *weights = filter->weights;
        for (long arm = 0; arm < filter->armCount; arm++, weights += tapCount) {
            const float *before = samples + place + filter->arms[arm].before;
            const float *after = samples + place + filter->arms[arm].after;
            for (long tap = 0; tap < tapCount; tap += most) {
                const long own = tapCount - tap < most ? tapCount - tap : most;
                add_taps(
                    before - tap * channels, after + tap * channels, weights + tap, own, channels,
                    sums);
            }
        }
        write_sums(sums, outputs + place);
    }
}

ONLY_WIDE static void low_pass_wide(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count) {
    if (channels == 2) {
        low_pass_shifting(samples, filter, 2, outputs, count);
    } else {
        low_pass_shifting(samples, filter, 1, outputs, count);
    }
}

WIDEST static void low_pass_loading(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count) {
    // A group at once, so that a tap is fetched once for all of them.
    for (long place = 0; place < count; place += LANES_GROUP) {
        Sixteen sums[PARTS];
        take_centre(samples + place + filter->centre, filter->centreWeight, sums);
        const float *weights = filter->weights;
        for (long arm = 0; arm < filter->armCount; arm++, weights += filter->tapCount) {
            for (long tap = 0; tap < filter->tapCount; tap++) {
                const float *before =
                    samples + place + filter->arms[arm].before - tap * channels;
                const float *after = samples + place + filter->arms[arm].after + tap * channels;
                for (long part = 0; part < PARTS; part++) {
                    Sixteen one, other;
                    load_wide(&one, before + 16 * part);
                    load_wide(&other, after + 16 * part);
                    sums[part] += weights[tap] * (one + other);
                }
            }
        }
        write_sums(sums, outputs + place);
    }
}

void lanes_low_pass(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count) {
    if (IS_WIDE && channels <= 2) {
        low_pass_wide(samples, filter, channels, outputs, count);
    } else {
        low_pass_loading(samples, filter, channels, outputs, count);
    }
}
