#include "vectors.h"

INLINE void add_product(Row *sum, const Row *one, const Row *other) {
    sum->low += one->low * other->low;
    sum->high += one->high * other->high;
}

/// Zero where a lane lies below it.
INLINE void positive(Row *row) {
    row->low = (Sixteen)((SixteenBits)row->low & (row->low > 0));
    row->high = (Eight)((EightBits)row->high & (row->high > 0));
}

/// The outputs of a dense layer for each of four rows: so each weight is fetched once for four.
///
/// First sixteen channels, then the other eight: all of them, and what goes into them, are more
/// than the registers of AVX2 hold, and a sum that waits in memory is waited for.
INLINE void dense(
    const float *inputs, long stride, long count, const float *weights, Row results[4]) {
    const float *offsets = weights + count * LANES_CHANNELS;
    for (long row = 0; row < 4; row++) load_row(&results[row], offsets);
    Sixteen low[4] = {results[0].low, results[1].low, results[2].low, results[3].low};
    for (long input = 0; input < count; input++) {
        Sixteen weight;
        load_wide(&weight, weights + input * LANES_CHANNELS);
        for (long row = 0; row < 4; row++) low[row] += weight * inputs[row * stride + input];
    }
    Eight high[4] = {results[0].high, results[1].high, results[2].high, results[3].high};
    for (long input = 0; input < count; input++) {
        Eight weight;
        load(&weight, weights + input * LANES_CHANNELS + 16);
        for (long row = 0; row < 4; row++) high[row] += weight * inputs[row * stride + input];
    }
    for (long row = 0; row < 4; row++) {
        results[row].low = low[row];
        results[row].high = high[row];
    }
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
