// Layers of the speech network; included by `network.c` once for each way of summing products.
//
// All numbers are whole, so that it does not matter in what order they are summed. The outputs of a
// layer are sixteen channels in the lower sums, and eight in the upper ones.

typedef struct {
    Shorts lower;
    HalfShorts upper;
} NAMED(Weights);

OWN INLINE void NAMED(load_weights)(NAMED(Weights) *weights, const int16_t *place) {
    weights->lower = *(const Shorts *)place;
    weights->upper = *(const HalfShorts *)(place + 32);
}

/// Adds inputs of some rows in pairs, each weight fetched once for all of them.
OWN INLINE void NAMED(add_inputs)(
    const int16_t *inputs, long stride, long inputCount, const int16_t *places, long rowCount,
    Sums sums[8]) {
    for (long input = 0; input < inputCount; input += 2) {
        NAMED(Weights) weights;
        NAMED(load_weights)(&weights, places + input * LANES_CHANNELS);
        // Sums stay in registers only where each has its name.
#pragma clang loop unroll(full)
        for (long row = 0; row < rowCount; row++) {
            int32_t pair;
            memcpy(&pair, inputs + row * stride + input, sizeof pair);
            const SixteenBits all = (SixteenBits){0} + pair;
            const EightBits half = (EightBits){0} + pair;
            NAMED(add_sixteen)(&sums[row].lower, (const Shorts *)&all, &weights.lower);
            NAMED(add_eight)(&sums[row].upper, (const HalfShorts *)&half, &weights.upper);
        }
    }
}

/// What is above zero of sums, as a row.
OWN INLINE void NAMED(write_positive)(int16_t *row, const Sums *sums, int shift) {
    Shorts values;
    NAMED(pack)(&values, sums, shift);
    *(Shorts *)row = __builtin_elementwise_max(values, (Shorts){0});
}

/// A dense layer for some rows, up to eight.
OWN INLINE void NAMED(dense)(
    const int16_t *inputs, long stride, long inputCount, const LanesLayer *layer, long rowCount,
    int16_t *outputs) {
    Sums sums[8];
    for (long row = 0; row < rowCount; row++) load_sums(&sums[row], layer->offsets);
    NAMED(add_inputs)(inputs, stride, inputCount, layer->weights, rowCount, sums);
    for (long row = 0; row < rowCount; row++) {
        NAMED(write_positive)(outputs + row * LANES_ROW, &sums[row], DENSE_SHIFT);
    }
}

/// The convolution along time for a row: two taps at once, and the last one beside nothing.
OWN INLINE void NAMED(convolve)(
    const int16_t *first, long step, const LanesLayer *layer, int16_t *output) {
    Sums sums;
    load_sums(&sums, layer->offsets);
    for (long tap = 0; tap < LANES_TAPS; tap += 2) {
        const int16_t *one = first + tap * step;
        const int16_t *other = tap + 1 < LANES_TAPS ? one + step : one;
        NAMED(Weights) weights, pairs;
        NAMED(load_weights)(&weights, layer->weights + tap * LANES_CHANNELS);
        interleave(one, other, &pairs.lower, &pairs.upper);
        NAMED(add_sixteen)(&sums.lower, &pairs.lower, &weights.lower);
        NAMED(add_eight)(&sums.upper, &pairs.upper, &weights.upper);
    }
    NAMED(write_positive)(output, &sums, ALONG_SHIFT);
}

/// A separable block for some rows, up to eight.
OWN INLINE void NAMED(separable)(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs) {
    int16_t mixed[8 * LANES_ROW];
    const long step = dilation * LANES_ROW;
    for (long row = 0; row < rowCount; row++) {
        const int16_t *first = rows + row * LANES_ROW - LANES_TAPS / 2 * step;
        NAMED(convolve)(first, step, along, mixed + row * LANES_ROW);
    }
    Sums sums[8];
    for (long row = 0; row < rowCount; row++) load_sums(&sums[row], across->offsets);
    // Of the lanes that mean nothing four lie among the channels.
    const long first = LANES_CHANNELS - 4, rest = LANES_CHANNELS;
    NAMED(add_inputs)(mixed, LANES_ROW, first, across->weights, rowCount, sums);
    NAMED(add_inputs)(
        mixed + rest, LANES_ROW, 4, across->weights + first * LANES_CHANNELS, rowCount, sums);
    for (long row = 0; row < rowCount; row++) {
        Shorts values;
        NAMED(pack)(&values, &sums[row], ACROSS_SHIFT);
        const Shorts before = *(const Shorts *)(rows + row * LANES_ROW);
        *(Shorts *)(outputs + row * LANES_ROW) = __builtin_elementwise_add_sat(before, values);
    }
}

// As many rows at once as their sums leave registers for weights and inputs.

OWN static void NAMED(dense_rows)(
    const int16_t *inputs, long stride, long inputCount, const LanesLayer *layer, long rowCount,
    int16_t *outputs) {
    long row = 0;
    for (; row + AT_ONCE <= rowCount; row += AT_ONCE) {
        NAMED(dense)(
            inputs + row * stride, stride, inputCount, layer, AT_ONCE, outputs + row * LANES_ROW);
    }
    if (row == rowCount) return;
    NAMED(dense)(inputs + row * stride, stride, inputCount, layer, 4, outputs + row * LANES_ROW);
}

OWN static void NAMED(separable_rows)(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs) {
    long row = 0;
    for (; row + AT_ONCE <= rowCount; row += AT_ONCE) {
        const long place = row * LANES_ROW;
        NAMED(separable)(rows + place, dilation, along, across, AT_ONCE, outputs + place);
    }
    if (row == rowCount) return;
    const long place = row * LANES_ROW;
    NAMED(separable)(rows + place, dilation, along, across, 4, outputs + place);
}

#undef NAMED
#undef OWN
#undef AT_ONCE
