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

/// Interleaves two channels together, and any other number one by one.
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

/// A sample times 32767, clamped; NaN and samples beyond `largest` are set to zero first.
INLINE float scaled(float *sample, float largest) {
    *sample = __builtin_fabsf(*sample) <= largest ? *sample : 0;
    const float scaled = *sample * 32767;
    const float low = scaled > -32768 ? scaled : -32768;
    return low < 32767 ? low : 32767;
}

WIDEST void lanes_round(
    float *restrict samples, long count, float largest, int16_t *restrict rounded) {
    for (long place = 0; place < count; place++) {
        rounded[place] = (int16_t)((scaled(samples + place, largest) + WHOLE) - WHOLE);
    }
}

WIDEST void lanes_truncate(
    float *restrict samples, long count, float largest, int16_t *restrict truncated) {
    for (long place = 0; place < count; place++) {
        truncated[place] = (int16_t)scaled(samples + place, largest);
    }
}

#define TAKE_EACH(Frame, factor) \
    for (long place = 0; place < count; place++) { \
        ((Frame *)taken)[place] = ((const Frame *)frames)[place * (factor)]; \
    }

/// With a constant factor, as for common rates, the compiler handles several frames at once.
#define TAKE(Frame) \
    if (factor == 2) { \
        TAKE_EACH(Frame, 2) \
    } else if (factor == 3) { \
        TAKE_EACH(Frame, 3) \
    } else { \
        TAKE_EACH(Frame, factor) \
    }

/// Copies every `factor`th frame.
INLINE void take_frames(
    const float *restrict frames, long channels, long factor, long count, float *restrict taken) {
    if (channels == 1) {
        TAKE(Mono)
    } else if (channels == 2) {
        TAKE(Stereo)
    } else {
        for (long place = 0; place < count; place++) {
            for (long channel = 0; channel < channels; channel++) {
                taken[place * channels + channel] = frames[place * factor * channels + channel];
            }
        }
    }
}

WIDEST void lanes_sort_frames(
    const float *frames, long channels, long factor, long count, float *phases, long room) {
    for (long phase = 0; phase < factor; phase++) {
        take_frames(
            frames + phase * channels, channels, factor, count / factor, phases + phase * room);
    }
}

WIDEST void lanes_mix_pairs(const int16_t *restrict pairs, long count, int16_t *restrict mix) {
    const ShortPair *both = (const ShortPair *)pairs;
    for (long place = 0; place < count; place++) {
        mix[place] = (int16_t)(((int16_t)both[place] + (both[place] >> 16)) / 2);
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

/// The sum of a channel's lanes in double: in order if there are many channels; otherwise each
/// sixteen by halves, and then both sixteens.
INLINE double channel_sum(const float *lanes, long channel, long channels) {
    double sum = 0, fours[8], pair[2];
    if (channels > 2) {
        for (long lane = channel; lane < LANES_SUMS; lane += channels) sum += (double)lanes[lane];
        return sum;
    }
    for (long four = 0; four < 8; four++) {
        const float *own = lanes + four / 4 * 16 + four % 4;
        fours[four] = ((double)own[0] + (double)own[8]) + ((double)own[4] + (double)own[12]);
    }
    for (long part = 0; part < 2; part++) {
        pair[part] = (fours[part] + fours[part + 2]) + (fours[part + 4] + fours[part + 6]);
    }
    return channels == 1 ? pair[0] + pair[1] : pair[channel];
}

WIDEST void lanes_level_sums(
    const float *samples, long count, long channels, LanesLevels *levels) {
    float sums[LANES_SUMS] = {0}, squares[LANES_SUMS] = {0}, peaks[LANES_SUMS] = {0};
    for (long place = 0; place < count; place += LANES_SUMS) {
        for (long lane = 0; lane < LANES_SUMS; lane++) {
            const float sample = samples[place + lane], magnitude = __builtin_fabsf(sample);
            sums[lane] += sample;
            squares[lane] += sample * sample;
            peaks[lane] = magnitude > peaks[lane] ? magnitude : peaks[lane];
        }
    }
    for (long channel = 0; channel < channels; channel++) {
        float peak = 0;
        for (long lane = channel; lane < LANES_SUMS; lane += channels) {
            peak = peaks[lane] > peak ? peaks[lane] : peak;
        }
        levels[channel] = (LanesLevels){
            channel_sum(sums, channel, channels), channel_sum(squares, channel, channels), peak};
    }
}

WIDEST float lanes_step_squares(const float *samples, long distance, long count) {
    float sums[32] = {0};
    long place = 0;
    for (; place + 32 <= count; place += 32) {
        for (long lane = 0; lane < 32; lane++) {
            const float step = samples[distance + place + lane] - samples[place + lane];
            sums[lane] += step * step;
        }
    }
    // Whole groups of sixteen of the rest are added to the first lanes.
    for (; place + 16 <= count; place += 16) {
        for (long lane = 0; lane < 16; lane++) {
            const float step = samples[distance + place + lane] - samples[place + lane];
            sums[lane] += step * step;
        }
    }
    float sum = folded(sums, 32);
    for (; place < count; place++) {
        const float step = samples[distance + place] - samples[place];
        sum += step * step;
    }
    return sum;
}
