#include "lanes.h"

#if defined(WIDEST)
// Whoever includes this file has said what it is to be.
#elif defined(__x86_64__) && defined(__ELF__)
#define WIDEST __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define WIDEST
#endif

// A product fused with a sum rounds once instead of twice: other bits on other processors.
#pragma STDC FP_CONTRACT OFF

typedef float Sixteen __attribute__((vector_size(64), aligned(4)));
typedef float Eight __attribute__((vector_size(32), aligned(4)));
typedef int SixteenBits __attribute__((vector_size(64)));
typedef int EightBits __attribute__((vector_size(32)));
typedef int LooseBits __attribute__((vector_size(64), aligned(2), may_alias));
typedef unsigned SixteenCounts __attribute__((vector_size(64)));
typedef uint32_t Mono __attribute__((aligned(4), may_alias));
typedef uint64_t Stereo __attribute__((aligned(4), may_alias));
typedef short SixteenShorts __attribute__((vector_size(32), aligned(2)));

#define INLINE static inline __attribute__((always_inline))

INLINE void load(Eight *value, const float *place) { *value = *(const Eight *)place; }
INLINE void store(float *place, const Eight *value) { *(Eight *)place = *value; }
INLINE void load_wide(Sixteen *value, const float *place) { *value = *(const Sixteen *)place; }
INLINE void store_wide(float *place, const Sixteen *value) { *(Sixteen *)place = *value; }

INLINE float folded(const Eight *value) {
    const Eight v = *value;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

WIDEST void lanes_widen(
    const int16_t *restrict samples, long count, float *restrict widened) {
    for (long place = 0; place < count; place++) widened[place] = samples[place] * 0x1p-15f;
}

WIDEST void lanes_narrow(
    const int32_t *restrict samples, long count, float *restrict widened,
    int16_t *restrict narrowed) {
    for (long place = 0; place < count; place++) {
        widened[place] = (float)samples[place] * 0x1p-31f;
        narrowed[place] = (int16_t)(samples[place] >> 16);
    }
}

/// Zero for what is no number, or beyond all measure.
INLINE float measurable(float sample, float largest) {
    return __builtin_fabsf(sample) <= largest ? sample : 0;
}

INLINE float clamped(float scaled) {
    const float low = scaled > -32768 ? scaled : -32768;
    return low < 32767 ? low : 32767;
}

/// The nearest integer, halves to even: with 1.5 times 2 to the 23rd added there is no room for a
/// fraction, so the processor rounds, and the integer stands in the low bits of the sum.
INLINE int16_t nearest(float scaled) {
    const union { float number; int32_t bits; } sum = {.number = scaled + 0x1.8p23f};
    return (int16_t)sum.bits;
}

/// Without its fraction, by the same means.
INLINE float toward_zero(float scaled) {
    const float magnitude = __builtin_fabsf(scaled);
    const float rounded = (magnitude + 0x1p23f) - 0x1p23f;
    const float whole = rounded > magnitude ? rounded - 1 : rounded;
    return scaled < 0 ? -whole : whole;
}

WIDEST void lanes_round(
    float *restrict samples, long count, float largest, int16_t *restrict rounded) {
    for (long place = 0; place < count; place++) {
        samples[place] = measurable(samples[place], largest);
        rounded[place] = nearest(clamped(samples[place] * 32767));
    }
}

WIDEST void lanes_truncate(
    float *restrict samples, long count, float largest, int16_t *restrict truncated) {
    for (long place = 0; place < count; place++) {
        samples[place] = measurable(samples[place], largest);
        truncated[place] = nearest(toward_zero(clamped(samples[place] * 32767)));
    }
}

// Factors that are known are copied several at once.
#define TAKE(Frame) \
    for (long place = 0; place < count; place++) { \
        ((Frame *)taken)[place] = ((const Frame *)frames)[place * factor]; \
    }
#define TAKE_EACH(Frame) \
    switch (factor) { \
    case 2: { enum { factor = 2 }; TAKE(Frame) } break; \
    case 3: { enum { factor = 3 }; TAKE(Frame) } break; \
    default: TAKE(Frame) \
    }

WIDEST void lanes_take_frames(
    const float *restrict frames, long channels, long factor, long count, float *restrict taken) {
    switch (channels) {
    case 1: TAKE_EACH(Mono) break;
    case 2: TAKE_EACH(Stereo) break;
    default:
        for (long place = 0; place < count; place++) {
            for (long channel = 0; channel < channels; channel++) {
                taken[place * channels + channel] = frames[place * factor * channels + channel];
            }
        }
    }
}

WIDEST void lanes_low_pass(
    const float *samples, const LanesTap *taps, long tapCount, long centre, float centreWeight,
    float *outputs, long count) {
    // Sixty-four at once, so that a tap is fetched once for all of them.
    for (long place = 0; place < count; place += 64) {
        const float *here = samples + place;
        Sixteen sums[4];
        for (long part = 0; part < 4; part++) {
            load_wide(&sums[part], here + centre + 16 * part);
            sums[part] *= centreWeight;
        }
        for (long tap = 0; tap < tapCount; tap++) {
            const float *before = here + taps[tap].before, *after = here + taps[tap].after;
            const float weight = taps[tap].weight;
            for (long part = 0; part < 4; part++) {
                Sixteen one, other;
                load_wide(&one, before + 16 * part);
                load_wide(&other, after + 16 * part);
                sums[part] += weight * (one + other);
            }
        }
        for (long part = 0; part < 4; part++) {
            store_wide(outputs + place + 16 * part, &sums[part]);
        }
    }
}

WIDEST void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix) {
    long place = 0;
    for (; place + 16 <= count; place += 16) {
        const SixteenBits words = *(const LooseBits *)(pairs + 2 * place);
        const SixteenBits sums = ((SixteenBits)((SixteenCounts)words << 16) >> 16) + (words >> 16);
        // Shifting alone would round down.
        const SixteenBits halves = (sums + (SixteenBits)((SixteenCounts)sums >> 31)) >> 1;
        *(SixteenShorts *)(mix + place) = __builtin_convertvector(halves, SixteenShorts);
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
    Sixteen sum = {0}, square = {0};
    SixteenBits peak = {0};
    for (long place = 0; place < count; place += 16) {
        Sixteen values;
        load_wide(&values, samples + place);
        sum += values;
        square += values * values;
        // Bits of magnitudes are in the order of what they stand for.
        peak = __builtin_elementwise_max((SixteenBits)values & 0x7fffffff, peak);
    }
    store_wide(levels, &sum);
    store_wide(levels + 16, &square);
    const Sixteen magnitudes = (Sixteen)peak;
    store_wide(levels + 32, &magnitudes);
}

WIDEST float lanes_step_squares(const float *samples, long distance, long count) {
    Sixteen sums = {0};
    long place = 0;
    for (; place + 16 <= count; place += 16) {
        Sixteen before, after;
        load_wide(&before, samples + place);
        load_wide(&after, samples + distance + place);
        const Sixteen steps = after - before;
        sums += steps * steps;
    }
    const Eight halves =
        __builtin_shufflevector(sums, sums, 0, 1, 2, 3, 4, 5, 6, 7)
        + __builtin_shufflevector(sums, sums, 8, 9, 10, 11, 12, 13, 14, 15);
    float sum = folded(&halves);
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
        for (; place + 8 <= count; place += 8) {
            Eight weights;
            load(&weights, window + place);
            Sixteen pairs;
            if (stride == 1) {
                Eight one, other;
                load(&one, first + place);
                load(&other, second + place);
                pairs = __builtin_shufflevector(
                    one, other, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
            } else {
                load_wide(&pairs, first + 2 * place);
            }
            pairs *= __builtin_shufflevector(
                weights, weights, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            store_wide(outputs + 2 * place, &pairs);
        }
    }
    for (; place < count; place++) {
        outputs[2 * place] = first[place * stride] * window[place];
        outputs[2 * place + 1] = second[place * stride] * window[place];
    }
}

/// The sums of neighbours, in turn one of the first sixteen numbers and one of the second.
INLINE void paired_sums(const Sixteen *first, const Sixteen *second, Sixteen *sums) {
    const Sixteen one = __builtin_shufflevector(
        *first, *second, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
    const Sixteen other = __builtin_shufflevector(
        *first, *second, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
    *sums = one + other;
}

/// Of eight bins the power of each of the two signals, in pairs, times four.
INLINE void twin_powers(const Sixteen *values, const Sixteen *mirror, Sixteen *powers) {
    const Sixteen signs = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    const Sixteen one = *values + *mirror * signs, other = *values - *mirror * signs;
    const Sixteen squares = one * one, others = other * other;
    paired_sums(&squares, &others, powers);
}

/// Of eight bins of each of two spectra the power of both signals together, in pairs, times two.
INLINE void joint_powers(
    const Sixteen *values, const Sixteen *mirror, const Sixteen *seconds,
    const Sixteen *secondMirror, Sixteen *powers) {
    const Sixteen squares = *values * *values + *mirror * *mirror;
    const Sixteen others = *seconds * *seconds + *secondMirror * *secondMirror;
    paired_sums(&squares, &others, powers);
}

/// Up to eight bins from `bin` on, and their mirror images among `count`; that of the first bin, it
/// itself, stands behind the last one.
INLINE void mirrored(
    const float *bins, long count, long bin, long own, Sixteen *values, Sixteen *mirror) {
    if (own == 8) {
        Sixteen back;
        load_wide(values, bins + 2 * bin);
        load_wide(&back, bins + 2 * (count - bin - 7));
        *mirror = __builtin_shufflevector(
            back, back, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        return;
    }
    for (long part = 0; part < 16; part++) (*values)[part] = (*mirror)[part] = 0;
    for (long part = 0; part < 2 * own; part++) {
        (*values)[part] = bins[2 * bin + part];
        (*mirror)[part] = bins[2 * (count - bin - part / 2) + part % 2];
    }
}

/// Writes to `powers`, or adds to them, what `twin_powers` makes of each bin of the first spectrum,
/// or, where there is a second one, `joint_powers` of both.
INLINE void write_powers(
    const float *first, const float *second, long count, float share, int adds, float *powers) {
    const long half = count / 2;
    for (long bin = 0; bin < half; bin += 8) {
        const long own = bin + 8 <= half ? 8 : half - bin;
        Sixteen values, mirror, seconds, secondMirror, added;
        mirrored(first, count, bin, own, &values, &mirror);
        if (second) {
            mirrored(second, count, bin, own, &seconds, &secondMirror);
            joint_powers(&values, &mirror, &seconds, &secondMirror, &added);
        } else {
            twin_powers(&values, &mirror, &added);
        }
        added *= share;
        if (own == 8) {
            Sixteen sums = {0};
            if (adds) load_wide(&sums, powers + 2 * bin);
            sums += added;
            store_wide(powers + 2 * bin, &sums);
        } else {
            for (long part = 0; part < 2 * own; part++) {
                powers[2 * bin + part] = (adds ? powers[2 * bin + part] : 0) + added[part];
            }
        }
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

WIDEST void lanes_mirror_roots(
    const float *powers, long first, long end, long count, float *roots) {
    long bin = first;
    for (; bin + 8 <= end; bin += 8) {
        Sixteen values;
        load_wide(&values, powers + 2 * bin);
        values = __builtin_elementwise_sqrt(values);
        store_wide(roots + 2 * bin, &values);
        values = __builtin_shufflevector(
            values, values, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
        store_wide(roots + 2 * (count - bin - 7), &values);
    }
    for (; bin < end; bin++) {
        for (long part = 0; part < 2; part++) {
            const float root = __builtin_sqrtf(powers[2 * bin + part]);
            roots[2 * bin + part] = root;
            roots[2 * (count - bin) + part] = root;
        }
    }
}

INLINE void sum_pairs(const float *pairs, long count, float *sum) {
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

WIDEST void lanes_sum_bands(
    const float *pairs, const LanesBand *bands, long bandCount, float *sums) {
    for (long band = 0; band < bandCount; band++) {
        sum_pairs(pairs + 2 * bands[band].first, bands[band].count, sums + 2 * band);
    }
}

/// A row of the network.
typedef struct {
    Sixteen low;
    Eight high;
} Row;

INLINE void load_row(Row *row, const float *place) {
    load_wide(&row->low, place);
    load(&row->high, place + 16);
}

INLINE void store_row(float *place, const Row *row) {
    store_wide(place, &row->low);
    store(place + 16, &row->high);
}

INLINE void add_product(Row *sum, const Row *one, const Row *other) {
    sum->low += one->low * other->low;
    sum->high += one->high * other->high;
}

INLINE void add_scaled(Row *sum, const Row *row, float factor) {
    sum->low += row->low * factor;
    sum->high += row->high * factor;
}

/// Zero where a lane lies below it.
INLINE void positive(Row *row) {
    row->low = (Sixteen)((SixteenBits)row->low & (row->low > 0));
    row->high = (Eight)((EightBits)row->high & (row->high > 0));
}

/// The outputs of a dense layer for each of four rows: so each weight is fetched once for four.
INLINE void dense(
    const float *inputs, long stride, long count, const float *weights, Row results[4]) {
    Row first, second, third, fourth;
    load_row(&first, weights + count * LANES_CHANNELS);
    second = third = fourth = first;
    for (long input = 0; input < count; input++) {
        Row weight;
        load_row(&weight, weights + input * LANES_CHANNELS);
        add_scaled(&first, &weight, inputs[input]);
        add_scaled(&second, &weight, inputs[stride + input]);
        add_scaled(&third, &weight, inputs[2 * stride + input]);
        add_scaled(&fourth, &weight, inputs[3 * stride + input]);
    }
    results[0] = first;
    results[1] = second;
    results[2] = third;
    results[3] = fourth;
}

WIDEST void lanes_dense_rows(
    const float *inputs, long inputStride, long inputCount, const float *weights, long rowCount,
    float *outputs) {
    for (long four = 0; four < rowCount; four += 4) {
        Row results[4];
        dense(inputs + four * inputStride, inputStride, inputCount, weights, results);
        for (long row = 0; row < 4; row++) {
            positive(&results[row]);
            store_row(outputs + (four + row) * LANES_CHANNELS, &results[row]);
        }
    }
}

WIDEST void lanes_separable_rows(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs) {
    const long step = dilation * LANES_CHANNELS;
    const float *across = weights + (LANES_TAPS + 1) * LANES_CHANNELS;
    for (long four = 0; four < rowCount; four += 4) {
        const float *own = rows + four * LANES_CHANNELS;
        float mixed[4 * LANES_CHANNELS];
        for (long row = 0; row < 4; row++) {
            const float *first = own + row * LANES_CHANNELS - LANES_TAPS / 2 * step;
            Row sum;
            load_row(&sum, weights + LANES_TAPS * LANES_CHANNELS);
            for (long tap = 0; tap < LANES_TAPS; tap++) {
                Row weight, values;
                load_row(&weight, weights + tap * LANES_CHANNELS);
                load_row(&values, first + tap * step);
                add_product(&sum, &weight, &values);
            }
            positive(&sum);
            store_row(mixed + row * LANES_CHANNELS, &sum);
        }
        Row results[4];
        dense(mixed, LANES_CHANNELS, LANES_CHANNELS, across, results);
        for (long row = 0; row < 4; row++) {
            Row values;
            load_row(&values, own + row * LANES_CHANNELS);
            values.low += results[row].low;
            values.high += results[row].high;
            store_row(outputs + (four + row) * LANES_CHANNELS, &values);
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
