#include <string.h>

#include "vectors.h"

#define CHANNELS LANES_NETWORK_CHANNELS

// Bits dropped by the shift from sums to rows.
#define DENSE_SHIFT (LANES_INPUT_BITS + LANES_FRONT_BITS - LANES_ROW_BITS)
#define ALONG_SHIFT (LANES_ROW_BITS + LANES_TAP_BITS - LANES_MIX_BITS)
#define ACROSS_SHIFT (LANES_MIX_BITS + LANES_ACROSS_BITS - LANES_ROW_BITS)

/// Saturates to 16 bits.
INLINE int16_t shortened(int32_t number) {
    const int32_t low = number > INT16_MIN ? number : INT16_MIN;
    return (int16_t)(low < INT16_MAX ? low : INT16_MAX);
}

/// Saturates to 16 bits, and replaces negative numbers by zero (ReLU).
INLINE int16_t positive(int32_t number) { return shortened(number > 0 ? number : 0); }

#define WIDENED(shorts) __builtin_convertvector((SixteenShorts)(shorts), SixteenBits)

/// Adds inputs times their weights to a sum for each channel.
///
/// Products are added in pairs, for which there is one instruction. It is written out because the
/// compiler does not recognise it in loops.
INLINE void add_inputs(
    const int16_t *inputs, long count, const int16_t *weights, int32_t *sums) {
    for (long input = 0; input < count; input += 2) {
        int32_t pair;
        memcpy(&pair, inputs + input, sizeof pair);
        const EightBits pairs = (EightBits){0} + pair;
        for (long channel = 0; channel < CHANNELS; channel += 8, weights += 16) {
            EightBits own, eight;
            memcpy(&own, weights, sizeof own);
            memcpy(&eight, sums + channel, sizeof eight);
            const SixteenBits products = WIDENED(pairs) * WIDENED(own);
            eight += SHUFFLE(products, products, 0, 2, 4, 6, 8, 10, 12, 14)
                + SHUFFLE(products, products, 1, 3, 5, 7, 9, 11, 13, 15);
            memcpy(sums + channel, &eight, sizeof eight);
        }
    }
}

WIDEST void lanes_dense_rows(
    const int16_t *inputs, long inputStride, long inputCount, const LanesLayer *layer,
    long rowCount, int16_t *outputs) {
    for (long row = 0; row < rowCount; row++) {
        int32_t sums[CHANNELS];
        memcpy(sums, layer->offsets, sizeof sums);
        add_inputs(inputs, inputCount, layer->weights, sums);
        for (long channel = 0; channel < CHANNELS; channel++) {
            outputs[channel] = positive(sums[channel] >> DENSE_SHIFT);
        }
        inputs += inputStride;
        outputs += CHANNELS;
    }
}

WIDEST void lanes_separable_rows(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs) {
    const long step = dilation * CHANNELS;
    for (long row = 0; row < rowCount; row++, rows += CHANNELS, outputs += CHANNELS) {
        int32_t sums[CHANNELS];
        int16_t mixed[CHANNELS];
        for (long channel = 0; channel < CHANNELS; channel++) {
            int32_t sum = along->offsets[channel];
            for (long tap = 0; tap < LANES_TAPS; tap++) {
                const int16_t input = rows[(tap - LANES_TAPS / 2) * step + channel];
                sum += input * along->weights[tap * CHANNELS + channel];
            }
            mixed[channel] = positive(sum >> ALONG_SHIFT);
        }
        memcpy(sums, across->offsets, sizeof sums);
        add_inputs(mixed, CHANNELS, across->weights, sums);
        for (long channel = 0; channel < CHANNELS; channel++) {
            outputs[channel] = shortened(rows[channel] + shortened(sums[channel] >> ACROSS_SHIFT));
        }
    }
}

WIDEST float lanes_row_dot(const int16_t *row, const float *weights) {
    float sums[8] = {0};
    for (long four = 0; four < CHANNELS; four += 4) {
        // The first sixteen use four sums, the rest four others.
        float *own = four < 16 ? sums : sums + 4;
        for (long lane = 0; lane < 4; lane++) own[lane] += row[four + lane] * weights[four + lane];
    }
    return folded(sums, 8);
}
