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

/// The outputs of a dense layer for each of eight rows: so each weight is fetched once for eight.
INLINE void dense_eight(
    const float *inputs, long stride, long count, const float *weights, Row results[8]) {
    for (long row = 0; row < 8; row++) load_row(&results[row], weights + count * LANES_CHANNELS);
    for (long input = 0; input < count; input++) {
        Row weight;
        load_row(&weight, weights + input * LANES_CHANNELS);
        for (long row = 0; row < 8; row++) {
            const float value = inputs[row * stride + input];
            results[row].low += weight.low * value;
            results[row].high += weight.high * value;
        }
    }
}

/// The same for four rows, first of sixteen channels, then of the other eight: all of them, and
/// what goes into them, are more than the registers of AVX2 hold, and a sum that waits in memory is
/// waited for.
INLINE void dense_four(
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

INLINE void dense(
    const float *inputs, long stride, long count, const float *weights, long rowCount,
    Row *results) {
    if (rowCount == 8) {
        dense_eight(inputs, stride, count, weights, results);
    } else {
        dense_four(inputs, stride, count, weights, results);
    }
}

/// A dense layer for four rows or eight.
INLINE void dense_rows(
    const float *inputs, long stride, long count, const float *weights, long rowCount,
    float *outputs) {
    Row results[8];
    dense(inputs, stride, count, weights, rowCount, results);
    for (long row = 0; row < rowCount; row++) {
        positive(&results[row]);
        store_row(outputs + row * LANES_CHANNELS, &results[row]);
    }
}

ONLY_WIDE static void dense_rows_wide(
    const float *inputs, long stride, long count, const float *weights, long rowCount,
    float *outputs) {
    long row = 0;
    for (; row + 8 <= rowCount; row += 8) {
        dense_rows(
            inputs + row * stride, stride, count, weights, 8, outputs + row * LANES_CHANNELS);
    }
    if (row == rowCount) return;
    dense_rows(inputs + row * stride, stride, count, weights, 4, outputs + row * LANES_CHANNELS);
}

NARROWER static void dense_rows_narrower(
    const float *inputs, long stride, long count, const float *weights, long rowCount,
    float *outputs) {
    for (long row = 0; row < rowCount; row += 4) {
        dense_rows(
            inputs + row * stride, stride, count, weights, 4, outputs + row * LANES_CHANNELS);
    }
}

void lanes_dense_rows(
    const float *inputs, long inputStride, long inputCount, const float *weights, long rowCount,
    float *outputs) {
    if (IS_WIDE) {
        dense_rows_wide(inputs, inputStride, inputCount, weights, rowCount, outputs);
    } else {
        dense_rows_narrower(inputs, inputStride, inputCount, weights, rowCount, outputs);
    }
}

/// A separable block for four rows or eight.
INLINE void separable_rows(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs) {
    const long step = dilation * LANES_CHANNELS;
    const float *across = weights + (LANES_TAPS + 1) * LANES_CHANNELS;
    float mixed[8 * LANES_CHANNELS];
    for (long row = 0; row < rowCount; row++) {
        const float *first = rows + row * LANES_CHANNELS - LANES_TAPS / 2 * step;
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
    Row results[8];
    dense(mixed, LANES_CHANNELS, LANES_CHANNELS, across, rowCount, results);
    for (long row = 0; row < rowCount; row++) {
        Row values;
        load_row(&values, rows + row * LANES_CHANNELS);
        values.low += results[row].low;
        values.high += results[row].high;
        store_row(outputs + row * LANES_CHANNELS, &values);
    }
}

ONLY_WIDE static void separable_rows_wide(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs) {
    long place = 0;
    for (; place + 8 * LANES_CHANNELS <= rowCount * LANES_CHANNELS; place += 8 * LANES_CHANNELS) {
        separable_rows(rows + place, dilation, weights, 8, outputs + place);
    }
    if (place == rowCount * LANES_CHANNELS) return;
    separable_rows(rows + place, dilation, weights, 4, outputs + place);
}

NARROWER static void separable_rows_narrower(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs) {
    for (long place = 0; place < rowCount * LANES_CHANNELS; place += 4 * LANES_CHANNELS) {
        separable_rows(rows + place, dilation, weights, 4, outputs + place);
    }
}

void lanes_separable_rows(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs) {
    if (IS_WIDE) {
        separable_rows_wide(rows, dilation, weights, rowCount, outputs);
    } else {
        separable_rows_narrower(rows, dilation, weights, rowCount, outputs);
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
