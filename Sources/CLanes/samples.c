#include "vectors.h"

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

/// Of two channels both at once, of any other number one after the other.
#define INTERLEAVE(Sample) \
    Sample *restrict samples = interleaved; \
    if (channelCount == 2) { \
        const int32_t *restrict left = channels[0] + first, *restrict right = channels[1] + first; \
        for (long place = 0; place < count; place++) { \
            samples[2 * place] = (Sample)((uint32_t)left[place] << shift); \
            samples[2 * place + 1] = (Sample)((uint32_t)right[place] << shift); \
        } \
    } else { \
        for (long channel = 0; channel < channelCount; channel++) { \
            const int32_t *restrict one = channels[channel] + first; \
            for (long place = 0; place < count; place++) \
                samples[place * channelCount + channel] \
                    = (Sample)((uint32_t)one[place] << shift); \
        } \
    }

WIDEST void lanes_interleave(
    const int32_t *const *channels, long channelCount, long first, long count, int shift,
    long bytes, void *interleaved) {
    if (bytes == sizeof(int16_t)) {
        INTERLEAVE(int16_t)
    } else {
        INTERLEAVE(int32_t)
    }
}

/// Samples that are looked at before any of them is changed, which hardly ever is one.
#define STRETCH 256

/// Makes zero of what is no number, or beyond all measure: their bits are more than the largest's.
INLINE void make_measurable(float *samples, long count, float largest) {
    union { float number; int32_t bits; } most = {.number = largest};
    int32_t highest = 0;
    for (long place = 0; place < count; place++) {
        union { float number; int32_t bits; } sample = {.number = samples[place]};
        const int32_t magnitude = sample.bits & 0x7fffffff;
        highest = magnitude > highest ? magnitude : highest;
    }
    if (highest <= most.bits) return;
    for (long place = 0; place < count; place++) {
        if (!(__builtin_fabsf(samples[place]) <= largest)) samples[place] = 0;
    }
}

INLINE float clamped(float scaled) {
    const float low = scaled > -32768 ? scaled : -32768;
    return low < 32767 ? low : 32767;
}

/// The nearest integer, halves to even: with 1.5 times 2 to the 23rd added there is no room for a
/// fraction, so the processor rounds, and the integer stands in the low bits of the sum.
INLINE int16_t nearest(float scaled) {
    const union { float number; int32_t bits; } sum = {.number = scaled + WHOLE};
    return (int16_t)sum.bits;
}

/// Without its fraction, by the same means.
INLINE float toward_zero(float scaled) {
    const float magnitude = __builtin_fabsf(scaled);
    const float rounded = (magnitude + 0x1p23f) - 0x1p23f;
    const float whole = rounded > magnitude ? rounded - 1 : rounded;
    return scaled < 0 ? -whole : whole;
}

/// Makes samples measurable, stretch by stretch, and each a number of 16 bits of what it is scaled.
#define TO_SHORTS(shorts, converted) \
    for (long first = 0; first < count; first += STRETCH) { \
        const long end = first + STRETCH < count ? first + STRETCH : count; \
        make_measurable(samples + first, end - first, largest); \
        for (long place = first; place < end; place++) { \
            const float scaled = samples[place] * 32767; \
            shorts[place] = converted; \
        } \
    }

/// Whole numbers out of the low bits of sums, clamped to 16 bits: as integers, which takes the
/// processor no more than to shorten them.
INLINE void store_shorts(int16_t *place, const SixteenCounts *sums) {
    const SixteenBits whole = (SixteenBits)(*sums - WHOLE_BITS);
    const SixteenBits low = __builtin_elementwise_max(whole, (SixteenBits){0} - 32768);
    *(SixteenShorts *)place = __builtin_convertvector(
        __builtin_elementwise_min(low, (SixteenBits){0} + 32767), SixteenShorts);
}

/// Rounds samples, vector by vector, as if none of them were beyond all measure; how many, or none
/// where some may be.
INLINE long round_vectors(const float *samples, long count, int16_t *rounded) {
    SixteenCounts highest = {0};
    long place = 0;
    for (; place + 16 <= count; place += 16) {
        Sixteen values;
        load_wide(&values, samples + place);
        const SixteenCounts sums = (SixteenCounts)(values * 32767 + WHOLE);
        highest = __builtin_elementwise_max(highest, sums);
        store_shorts(rounded + place, &sums);
    }
    // Of sums that are twice as large, below zero or no numbers the bits are more; below that, what
    // is too small for its last bits to be a whole number is clamped all the same.
    return __builtin_reduce_max(highest) < WHOLE_BITS + (1 << 23) ? place : 0;
}

WIDEST void lanes_round(
    float *restrict samples, long count, float largest, int16_t *restrict rounded) {
    const long done = round_vectors(samples, count, rounded);
    samples += done;
    rounded += done;
    count -= done;
    TO_SHORTS(rounded, nearest(clamped(scaled)))
}

WIDEST void lanes_truncate(
    float *restrict samples, long count, float largest, int16_t *restrict truncated) {
    TO_SHORTS(truncated, nearest(toward_zero(clamped(scaled))))
}

/// All bits of the exponent, as what is no number and the infinite have them and nothing else.
#define INFINITE_BITS 0x7f800000

WIDEST long lanes_count_unbounded(
    const float *samples, long count, long channels, long *counts) {
    long found = 0;
    for (long start = 0; start < count; start += STRETCH) {
        const long end = count - start < STRETCH ? count : start + STRETCH;
        int32_t highest = 0;
        for (long place = start; place < end; place++) {
            const union { float number; int32_t bits; } sample = {.number = samples[place]};
            const int32_t magnitude = sample.bits & 0x7fffffff;
            highest = magnitude > highest ? magnitude : highest;
        }
        if (highest < INFINITE_BITS) continue;
        for (long place = start; place < end; place++) {
            const union { float number; int32_t bits; } sample = {.number = samples[place]};
            if ((sample.bits & 0x7fffffff) < INFINITE_BITS) continue;
            counts[place % channels]++;
            found++;
        }
    }
    return found;
}

#define TAKE(Frame, factor) \
    for (long place = 0; place < count; place++) { \
        ((Frame *)taken)[place] = ((const Frame *)frames)[place * (factor)]; \
    }

/// Every `factor`th frame; where that is three, as for 48 kHz, several at once.
INLINE void take_frames(
    const float *restrict frames, long channels, long factor, long count, float *restrict taken) {
    if (channels == 1 && factor == 3) {
        TAKE(Mono, 3)
    } else if (channels == 1) {
        TAKE(Mono, factor)
    } else if (channels == 2 && factor == 3) {
        TAKE(Stereo, 3)
    } else if (channels == 2) {
        TAKE(Stereo, factor)
    } else {
        for (long place = 0; place < count; place++) {
            for (long channel = 0; channel < channels; channel++) {
                taken[place * channels + channel] = frames[place * factor * channels + channel];
            }
        }
    }
}

/// Every second frame of one channel, or of two, to one and the others to the other, some at once:
/// so many of either as there are samples in a vector.
INLINE void split_vectors(
    const float *frames, long channels, long vectorCount, float *one, float *other) {
    for (long place = 0; place < 16 * vectorCount; place += 16) {
        Sixteen first, second, even, odd;
        load_wide(&first, frames + 2 * place);
        load_wide(&second, frames + 2 * place + 16);
        if (channels == 1) {
            even = SHUFFLE(
                first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            odd = SHUFFLE(
                first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        } else {
            even = SHUFFLE(
                first, second, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29);
            odd = SHUFFLE(
                first, second, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
        }
        store_wide(one + place, &even);
        store_wide(other + place, &odd);
    }
}

/// The frames in turn to one and to the other.
INLINE void split_frames(
    const float *frames, long channels, long count, float *one, float *other) {
    const long vectorCount = count / 2 * channels / 16;
    split_vectors(frames, channels, vectorCount, one, other);
    for (long place = 16 * vectorCount; place < count / 2 * channels; place++) {
        const long frame = place / channels, channel = place % channels;
        one[place] = frames[2 * frame * channels + channel];
        other[place] = frames[(2 * frame + 1) * channels + channel];
    }
}

WIDEST void lanes_sort_frames(
    const float *frames, long channels, long factor, long count, float *phases, long room) {
    if (factor == 2 && channels == 1) {
        split_frames(frames, 1, count, phases, phases + room);
    } else if (factor == 2 && channels == 2) {
        split_frames(frames, 2, count, phases, phases + room);
    } else {
        for (long phase = 0; phase < factor; phase++) {
            take_frames(
                frames + phase * channels, channels, factor, count / factor, phases + phase * room);
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

WIDEST void lanes_ranges(
    const int16_t *samples, long count, long rangeCount, int16_t *ranges) {
    for (long range = 0; range < rangeCount; range++) {
        const int16_t *own = samples + range * count;
        int16_t low = own[0], high = own[0];
        for (long place = 0; place < count; place++) {
            low = own[place] < low ? own[place] : low;
            high = own[place] > high ? own[place] : high;
        }
        ranges[2 * range] = low;
        ranges[2 * range + 1] = high;
    }
}

/// The sums of the even and of the odd lanes.
INLINE void fold_pairs(const Sixteen *lanes, double pair[2]) {
    const SixteenDoubles all = __builtin_convertvector(*lanes, SixteenDoubles);
    const EightDoubles eight =
        SHUFFLE(all, all, 0, 1, 2, 3, 4, 5, 6, 7)
        + SHUFFLE(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
    const FourDoubles four =
        SHUFFLE(eight, eight, 0, 1, 2, 3)
        + SHUFFLE(eight, eight, 4, 5, 6, 7);
    pair[0] = four[0] + four[2];
    pair[1] = four[1] + four[3];
}

/// What becomes of sixteen lanes.
typedef struct {
    Sixteen sum, square;
    SixteenBits peak;
} LaneLevels;

/// Brings the lanes together to the levels of one channel or two.
INLINE void fold_levels(const LaneLevels lanes[2], long channels, LanesLevels *levels) {
    double sums[2], squares[2], more[2];
    fold_pairs(&lanes[0].sum, sums);
    fold_pairs(&lanes[1].sum, more);
    for (long part = 0; part < 2; part++) sums[part] += more[part];
    fold_pairs(&lanes[0].square, squares);
    fold_pairs(&lanes[1].square, more);
    for (long part = 0; part < 2; part++) squares[part] += more[part];
    const SixteenBits bits = __builtin_elementwise_max(lanes[0].peak, lanes[1].peak);
    const EightBits eight = __builtin_elementwise_max(
        SHUFFLE(bits, bits, 0, 1, 2, 3, 4, 5, 6, 7),
        SHUFFLE(bits, bits, 8, 9, 10, 11, 12, 13, 14, 15));
    union { int bits; float number; } peaks[2] = {{eight[0]}, {eight[1]}};
    for (long lane = 2; lane < 8; lane++) {
        if (eight[lane] > peaks[lane % 2].bits) peaks[lane % 2].bits = eight[lane];
    }
    if (channels == 1) {
        if (peaks[1].bits > peaks[0].bits) peaks[0].bits = peaks[1].bits;
        levels[0] = (LanesLevels){sums[0] + sums[1], squares[0] + squares[1], peaks[0].number};
        return;
    }
    for (long channel = 0; channel < 2; channel++) {
        levels[channel] = (LanesLevels){sums[channel], squares[channel], peaks[channel].number};
    }
}

INLINE void add_levels(LaneLevels *lanes, const float *samples) {
    Sixteen values;
    load_wide(&values, samples);
    lanes->sum += values;
    lanes->square += values * values;
    // Bits of magnitudes are in the order of what they stand for.
    lanes->peak = __builtin_elementwise_max((SixteenBits)values & 0x7fffffff, lanes->peak);
}

WIDEST void lanes_level_sums(
    const float *samples, long count, long channels, LanesLevels *levels) {
    // One vector's sum would wait for the one before.
    LaneLevels lanes[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    for (long place = 0; place < count; place += LANES_SUMS) {
        add_levels(&lanes[0], samples + place);
        add_levels(&lanes[1], samples + place + 16);
    }
    if (channels <= 2) {
        fold_levels(lanes, channels, levels);
        return;
    }
    for (long channel = 0; channel < channels; channel++) {
        LanesLevels own = {0, 0, 0};
        for (long lane = channel; lane < LANES_SUMS; lane += channels) {
            const LaneLevels *half = &lanes[lane / 16];
            const Sixteen magnitudes = (Sixteen)half->peak;
            own.sum += (double)half->sum[lane % 16];
            own.sumOfSquares += (double)half->square[lane % 16];
            own.peak = magnitudes[lane % 16] > own.peak ? magnitudes[lane % 16] : own.peak;
        }
        levels[channel] = own;
    }
}

INLINE void add_steps(Sixteen *sums, const float *samples, long distance) {
    Sixteen before, after;
    load_wide(&before, samples);
    load_wide(&after, samples + distance);
    const Sixteen steps = after - before;
    *sums += steps * steps;
}

WIDEST float lanes_step_squares(const float *samples, long distance, long count) {
    Sixteen sums = {0}, others = {0};
    long place = 0;
    for (; place + 32 <= count; place += 32) {
        add_steps(&sums, samples + place, distance);
        add_steps(&others, samples + place + 16, distance);
    }
    if (place + 16 <= count) {
        add_steps(&sums, samples + place, distance);
        place += 16;
    }
    sums += others;
    const Eight halves =
        SHUFFLE(sums, sums, 0, 1, 2, 3, 4, 5, 6, 7)
        + SHUFFLE(sums, sums, 8, 9, 10, 11, 12, 13, 14, 15);
    float sum = folded(&halves);
    for (; place < count; place++) {
        const float step = samples[distance + place] - samples[place];
        sum += step * step;
    }
    return sum;
}
