#include "lanes.h"

#if defined(WIDEST)
// Whoever includes this file has said what it is to be.
#elif defined(__x86_64__) && defined(__ELF__)
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif

// A product fused with a sum rounds once instead of twice: other bits on other processors.
#pragma STDC FP_CONTRACT OFF

typedef float Eight __attribute__((vector_size(32), aligned(4)));
typedef float Four __attribute__((vector_size(16), aligned(4)));
typedef int EightBits __attribute__((vector_size(32)));
typedef int LooseBits __attribute__((vector_size(32), aligned(2), may_alias));
typedef unsigned EightCounts __attribute__((vector_size(32)));
typedef short EightShorts __attribute__((vector_size(16), aligned(2)));

#define INLINE static inline __attribute__((always_inline))

INLINE void load(Eight *value, const float *place) { *value = *(const Eight *)place; }
INLINE void store(float *place, const Eight *value) { *(Eight *)place = *value; }

/// Zero where a lane lies below it.
INLINE void positive(Eight *value) { *value = (Eight)((EightBits)*value & (*value > 0)); }

INLINE float folded(const Eight *value) {
    const Eight v = *value;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

WIDEST void lanes_low_pass(
    const float *samples, const LanesTap *taps, long tapCount, long centre, float centreWeight,
    float *outputs, long count) {
    // Thirty-two at once, so that a tap is fetched once for all of them.
    for (long place = 0; place < count; place += 32) {
        const float *here = samples + place;
        Eight sums[4];
        for (long eight = 0; eight < 4; eight++) {
            load(&sums[eight], here + centre + 8 * eight);
            sums[eight] *= centreWeight;
        }
        for (long tap = 0; tap < tapCount; tap++) {
            const float *before = here + taps[tap].before, *after = here + taps[tap].after;
            const float weight = taps[tap].weight;
            for (long eight = 0; eight < 4; eight++) {
                Eight one, other;
                load(&one, before + 8 * eight);
                load(&other, after + 8 * eight);
                sums[eight] += weight * (one + other);
            }
        }
        for (long eight = 0; eight < 4; eight++) {
            store(outputs + place + 8 * eight, &sums[eight]);
        }
    }
}

WIDEST void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix) {
    long place = 0;
    for (; place + 8 <= count; place += 8) {
        const EightBits words = *(const LooseBits *)(pairs + 2 * place);
        const EightBits sums = ((EightBits)((EightCounts)words << 16) >> 16) + (words >> 16);
        // Shifting alone would round down.
        const EightBits halves = (sums + (EightBits)((EightCounts)sums >> 31)) >> 1;
        *(EightShorts *)(mix + place) = __builtin_convertvector(halves, EightShorts);
    }
    for (; place < count; place++) {
        const int sum = pairs[2 * place] + pairs[2 * place + 1];
        mix[place] = (int16_t)(sum / 2);
    }
}

WIDEST void lanes_range(const int16_t *samples, long count, int16_t range[2]) {
    int16_t low = samples[0], high = samples[0];
    for (long place = 1; place < count; place++) {
        low = samples[place] < low ? samples[place] : low;
        high = samples[place] > high ? samples[place] : high;
    }
    range[0] = low;
    range[1] = high;
}

WIDEST void lanes_level_sums(const float *samples, long count, float *levels) {
    Eight sum = {0}, square = {0}, peak = {0};
    for (long place = 0; place < count; place += 8) {
        Eight values;
        load(&values, samples + place);
        sum += values;
        square += values * values;
        const Eight magnitudes = (Eight)((EightBits)values & 0x7fffffff);
        // Bits of magnitudes are in the order of what they stand for.
        const EightBits one = (EightBits)magnitudes, other = (EightBits)peak;
        peak = (Eight)__builtin_elementwise_max(one, other);
    }
    store(levels, &sum);
    store(levels + 8, &square);
    store(levels + 16, &peak);
}

WIDEST float lanes_step_squares(const float *samples, long distance, long count) {
    Eight sums = {0};
    long place = 0;
    for (; place + 8 <= count; place += 8) {
        Eight before, after;
        load(&before, samples + place);
        load(&after, samples + distance + place);
        const Eight steps = after - before;
        sums += steps * steps;
    }
    float sum = folded(&sums);
    for (; place < count; place++) {
        const float step = samples[distance + place] - samples[place];
        sum += step * step;
    }
    return sum;
}

WIDEST void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, float *outputs,
    long count) {
    long place = 0;
    if (stride == 1 || (stride == 2 && second == first + 1)) {
        for (; place + 4 <= count; place += 4) {
            const Four weights = *(const Four *)(window + place);
            Eight pairs;
            if (stride == 1) {
                const Four one = *(const Four *)(first + place);
                const Four other = *(const Four *)(second + place);
                pairs = __builtin_shufflevector(one, other, 0, 4, 1, 5, 2, 6, 3, 7);
            } else {
                load(&pairs, first + 2 * place);
            }
            pairs *= __builtin_shufflevector(weights, weights, 0, 0, 1, 1, 2, 2, 3, 3);
            store(outputs + 2 * place, &pairs);
        }
    }
    for (; place < count; place++) {
        outputs[2 * place] = first[place * stride] * window[place];
        outputs[2 * place + 1] = second[place * stride] * window[place];
    }
}

/// Four bins from `bin` on, and their mirror images among `count`.
INLINE void mirrored(
    const float *bins, long count, long bin, Eight *values, Eight *mirror) {
    load(values, bins + 2 * bin);
    Eight back;
    load(&back, bins + 2 * (count - bin - 3));
    *mirror = __builtin_shufflevector(back, back, 6, 7, 4, 5, 2, 3, 0, 1);
}

/// The sums of neighbours, in turn one of the first eight numbers and one of the second.
INLINE void paired_sums(const Eight *first, const Eight *second, Eight *sums) {
    const Eight one = __builtin_shufflevector(*first, *second, 0, 8, 2, 10, 4, 12, 6, 14);
    const Eight other = __builtin_shufflevector(*first, *second, 1, 9, 3, 11, 5, 13, 7, 15);
    *sums = one + other;
}

/// Of four bins the power of each of the two signals, in pairs, times four.
INLINE void twin_powers(const Eight *values, const Eight *mirror, Eight *powers) {
    const Eight signs = {1, -1, 1, -1, 1, -1, 1, -1};
    const Eight one = *values + *mirror * signs, other = *values - *mirror * signs;
    const Eight squares = one * one, others = other * other;
    paired_sums(&squares, &others, powers);
}

/// Of four bins of each of two spectra the power of both signals together, in pairs, times two.
INLINE void joint_powers(
    const Eight *values, const Eight *mirror, const Eight *seconds, const Eight *secondMirror,
    Eight *powers) {
    const Eight squares = *values * *values + *mirror * *mirror;
    const Eight others = *seconds * *seconds + *secondMirror * *secondMirror;
    paired_sums(&squares, &others, powers);
}

/// One bin and its mirror image; the first bin is its own.
INLINE void mirrored_bin(
    const float *bins, long count, long bin, Eight *values, Eight *mirror) {
    const float *value = bins + 2 * bin, *back = bins + 2 * (bin == 0 ? 0 : count - bin);
    *values = (Eight){value[0], value[1]};
    *mirror = (Eight){back[0], back[1]};
}

/// Writes to `powers`, or adds to them, what `twin_powers` makes of each bin of the first spectrum,
/// or, where there is a second one, `joint_powers` of both.
INLINE void write_powers(
    const float *first, const float *second, long count, float share, int adds, float *powers) {
    const long half = count / 2;
    long bin = 0;
    while (bin < half) {
        const int isFour = bin > 0 && bin + 4 <= half;
        Eight values, mirror, seconds, secondMirror, added;
        if (isFour) {
            mirrored(first, count, bin, &values, &mirror);
            if (second) mirrored(second, count, bin, &seconds, &secondMirror);
        } else {
            mirrored_bin(first, count, bin, &values, &mirror);
            if (second) mirrored_bin(second, count, bin, &seconds, &secondMirror);
        }
        if (second) {
            joint_powers(&values, &mirror, &seconds, &secondMirror, &added);
        } else {
            twin_powers(&values, &mirror, &added);
        }
        added *= share;
        if (isFour) {
            Eight sums = {0};
            if (adds) load(&sums, powers + 2 * bin);
            sums += added;
            store(powers + 2 * bin, &sums);
        } else {
            powers[2 * bin] = (adds ? powers[2 * bin] : 0) + added[0];
            powers[2 * bin + 1] = (adds ? powers[2 * bin + 1] : 0) + added[1];
        }
        bin += isFour ? 4 : 1;
    }
}

WIDEST void lanes_twin_powers(const float *bins, long count, float scale, float *powers) {
    write_powers(bins, 0, count, scale / 4, 0, powers);
}

WIDEST void lanes_joint_powers(
    const float *first, const float *second, long count, float scale, int adds, float *powers) {
    if (adds) {
        write_powers(first, second, count, scale / 2, 1, powers);
    } else {
        write_powers(first, second, count, scale / 2, 0, powers);
    }
}

WIDEST void lanes_sum_pairs(const float *pairs, long count, float *sum) {
    Eight sums = {0};
    long place = 0;
    for (; place + 4 <= count; place += 4) {
        Eight values;
        load(&values, pairs + 2 * place);
        sums += values;
    }
    float one = (sums[0] + sums[4]) + (sums[2] + sums[6]);
    float other = (sums[1] + sums[5]) + (sums[3] + sums[7]);
    for (; place < count; place++) {
        one += pairs[2 * place];
        other += pairs[2 * place + 1];
    }
    sum[0] = one;
    sum[1] = other;
}

/// Eight outputs of a dense layer for each of four rows: so each weight is fetched once for four.
INLINE void dense(
    const float *inputs, long stride, long count, const float *weights, long width,
    Eight results[4]) {
    Eight offset;
    load(&offset, weights + count * width);
    Eight first = offset, second = offset, third = offset, fourth = offset;
    for (long input = 0; input < count; input++) {
        Eight weight;
        load(&weight, weights + input * width);
        first += weight * inputs[input];
        second += weight * inputs[stride + input];
        third += weight * inputs[2 * stride + input];
        fourth += weight * inputs[3 * stride + input];
    }
    results[0] = first;
    results[1] = second;
    results[2] = third;
    results[3] = fourth;
}

WIDEST void lanes_dense_rows(
    const float *inputs, long inputStride, long inputCount, const float *weights, long width,
    float *outputs) {
    for (long lane = 0; lane < width; lane += 8) {
        Eight results[4];
        dense(inputs, inputStride, inputCount, weights + lane, width, results);
        for (long row = 0; row < 4; row++) {
            positive(&results[row]);
            store(outputs + row * width + lane, &results[row]);
        }
    }
}

WIDEST void lanes_separable_rows(
    const float *rows, long dilation, long taps, const float *weights, long width, float *scratch,
    float *outputs) {
    for (long row = 0; row < 4; row++) {
        const float *first = rows + (row - taps / 2 * dilation) * width;
        for (long lane = 0; lane < width; lane += 8) {
            Eight sum;
            load(&sum, weights + taps * width + lane);
            for (long tap = 0; tap < taps; tap++) {
                Eight weight, values;
                load(&weight, weights + tap * width + lane);
                load(&values, first + tap * dilation * width + lane);
                sum += weight * values;
            }
            positive(&sum);
            store(scratch + row * width + lane, &sum);
        }
    }
    const float *across = weights + (taps + 1) * width;
    for (long lane = 0; lane < width; lane += 8) {
        Eight results[4];
        dense(scratch, width, width, across + lane, width, results);
        for (long row = 0; row < 4; row++) {
            Eight values;
            load(&values, rows + row * width + lane);
            results[row] += values;
            store(outputs + row * width + lane, &results[row]);
        }
    }
}

WIDEST float lanes_dot(const float *one, const float *other, long count) {
    Eight sums = {0};
    for (long place = 0; place < count; place += 8) {
        Eight left, right;
        load(&left, one + place);
        load(&right, other + place);
        sums += left * right;
    }
    return folded(&sums);
}

WIDEST void lanes_count(
    const uint16_t *steps, long lanes, int change, long stepCount, uint16_t *counts) {
    const uint16_t *places = counts + lanes * stepCount;
    uint16_t *before = counts + lanes * (stepCount + 1);
    for (long lane = 0; lane < lanes; lane++) {
        before[lane] += steps[lane] < places[lane] ? change : 0;
    }
    for (long lane = 0; lane < lanes; lane++) counts[lane * stepCount + steps[lane]] += change;
}

WIDEST void lanes_find_rank(
    float rank, long lanes, long stepCount, uint16_t *counts, float *found) {
    uint16_t *places = counts + lanes * stepCount;
    const int whole = (int)rank;
    for (long lane = 0; lane < lanes; lane++) {
        const uint16_t *own = counts + lane * stepCount;
        int place = places[lane], before = places[lanes + lane];
        while (before > whole) before -= own[--place];
        while (before + own[place] <= whole) before += own[place++];
        places[lane] = (uint16_t)place;
        places[lanes + lane] = (uint16_t)before;
        const float within = (rank - (float)before + 0.5f) / (float)own[place];
        found[lane] = (float)place + (within < 1 ? within : 1);
    }
}
