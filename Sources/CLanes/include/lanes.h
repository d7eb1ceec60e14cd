// The innermost loops of the analysis, for as many lanes at once as the processor has.
//
// Each is compiled twice on Linux for x86-64, for the vectors that every such processor has and for
// AVX2, and the loader takes the wider one where it can. Both come to the same bits: sums run in
// eight lanes either way, and no product is fused with a sum. What a loop reads and writes is said
// with it; none checks anything, so its callers do.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

/// A weight of a symmetric low-pass, and where the two samples that it serves lie, in samples.
typedef struct {
    long before;
    long after;
    float weight;
} LanesTap;

/// Writes `count` outputs, a multiple of 32: output `i` is the weighted sum of the samples at
/// `centre + i`, and for each tap at `before + i` and `after + i`.
void lanes_low_pass(
    const float *samples, const LanesTap *taps, long tapCount, long centre, float centreWeight,
    float *outputs, long count);

/// Writes for each of `count` pairs half its sum, toward zero; the mix lies apart from the pairs.
void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix);

/// Writes the lowest and the highest of `count` samples, at least one.
void lanes_range(const int16_t *samples, long count, int16_t range[_Nonnull 2]);

/// Eight sums of `count` samples, a multiple of eight, then eight sums of their squares, then eight
/// largest magnitudes: sample `i` belongs to lane `i % 8` of each.
void lanes_level_sums(const float *samples, long count, float *levels);

/// The sum of the squares of `samples[i + distance] - samples[i]`, for `i` below `count`.
float lanes_step_squares(const float *samples, long distance, long count);

/// Lays two signals under a window: `outputs` gets `count` pairs.
///
/// Sample `i` of either lies at `i * stride`.
void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, float *outputs,
    long count);

/// Writes to `powers` (pairs, by bin up to half of `count`) the powers of the two real signals
/// whose `count` samples were transformed together into `bins` (pairs), times `scale`.
void lanes_twin_powers(const float *bins, long count, float scale, float *powers);

/// Writes to `powers` (pairs, as above) the power of both signals together that were transformed
/// into `first`, and of those that were transformed into `second`, times `scale`; or adds it.
void lanes_joint_powers(
    const float *first, const float *second, long count, float scale, int adds, float *powers);

/// The sum of `count` pairs into one.
void lanes_sum_pairs(const float *pairs, long count, float *sum);

/// A dense layer for four rows of inputs, without what lies below zero.
///
/// Row `r` of the inputs begins at `r * inputStride` and holds `inputCount`; row `r` of the outputs
/// has `width`, a multiple of eight. The weights of one input lie side by side, behind them the
/// offsets.
void lanes_dense_rows(
    const float *inputs, long inputStride, long inputCount, const float *weights, long width,
    float *outputs);

/// A separable block for four rows of `width` values, a multiple of eight: a convolution along time
/// of `taps` rows, an odd number, that lie `dilation` apart, without what lies below zero; then a
/// dense layer, added to the rows that went in.
///
/// Behind the weights of the convolution, a row a tap, come its offsets, the dense layer's weights
/// and its offsets. `scratch` has room for four rows.
void lanes_separable_rows(
    const float *rows, long dilation, long taps, const float *weights, long width, float *scratch,
    float *outputs);

/// The sum of the products of `count` numbers, a multiple of eight.
float lanes_dot(const float *one, const float *other, long count);

/// Counts a value in each of some lanes, or takes it out again with a `change` of -1.
///
/// `steps` names the step that each lane's value lies in. `counts` holds how many values lie in
/// each of `stepCount` steps, one lane's behind the other's; behind them a place for each lane,
/// which is one of the steps, and then how many of its values lie in the steps before.
void lanes_count(
    const uint16_t *steps, long lanes, int change, long stepCount, uint16_t *counts);

/// Moves the place of each lane to the step of the value that `rank` others lie before, fewer than
/// there are, and writes where it lies, in steps: the values of a step lie evenly.
void lanes_find_rank(float rank, long lanes, long stepCount, uint16_t *counts, float *found);

#pragma clang assume_nonnull end
