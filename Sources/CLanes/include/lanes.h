// The innermost loops over sound, for as many lanes at once as the processor has.
//
// Each is compiled three times on Linux for x86-64, for the vectors that every such processor has,
// for AVX2 and for AVX-512, and the loader takes the widest that it can. All come to the same bits:
// sums run in so many lanes always, however many a vector has, and no product is fused with a sum.
// What a loop reads and writes is said with it, and lies apart unless it is the same; none checks
// anything, so its callers do.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Writes `count` samples of 16 bits as what they are of full scale.
void lanes_widen(const int16_t *samples, long count, float *widened);

/// The same for left-aligned samples of 32 bits, and their upper 16.
void lanes_narrow(const int32_t *samples, long count, float *widened, int16_t *narrowed);

/// Writes `count` samples in 16 bits: times 32767, to the nearest, clamped. Those that are no
/// numbers, or larger than the largest, become zero first.
void lanes_round(float *samples, long count, float largest, int16_t *rounded);

/// The same, but toward zero.
void lanes_truncate(float *samples, long count, float largest, int16_t *truncated);

/// Sorts `count` frames of so many channels by phase, of which there are `factor`, each with room
/// for `room` samples: frame `i` becomes number `(first + i) / factor` of phase
/// `(first + i) % factor`.
void lanes_sort_frames(
    const float *frames, long channels, long factor, long first, long count, float *phases,
    long room);

/// A weight of a symmetric low-pass, and where the two samples that it serves lie, in samples.
typedef struct {
    long before;
    long after;
    float weight;
} LanesTap;

/// Outputs of a low-pass that are made at once.
#define LANES_GROUP 64

/// Writes `count` outputs, a multiple of the group: output `i` is the weighted sum of the samples
/// at `centre + i`, and for each tap at `before + i` and `after + i`.
void lanes_low_pass(
    const float *samples, const LanesTap *taps, long tapCount, long centre, float centreWeight,
    float *outputs, long count);

/// Writes for each of `count` pairs half its sum, toward zero; the mix lies apart from the pairs.
void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix);

/// Writes the lowest and the highest of `count` samples, at least one.
void lanes_range(const int16_t *samples, long count, int16_t range[_Nonnull 2]);

/// Lanes in which samples are summed.
#define LANES_SUMS 16

/// What some samples of a channel come to.
typedef struct {
    double sum;
    double sumOfSquares;
    float peak;
} LanesLevels;

/// Writes for each channel, whose number divides that of the lanes, what its samples come to among
/// `count`, a multiple of it: sample `i` is summed in lane `i % LANES_SUMS`, in single precision,
/// and the lanes of a channel in double.
void lanes_level_sums(
    const float *samples, long count, long channels, LanesLevels *levels);

/// The sum of the squares of `samples[i + distance] - samples[i]`, for `i` below `count`.
float lanes_step_squares(const float *samples, long distance, long count);

/// Lays two signals under a window: `outputs` gets `count` pairs.
///
/// Sample `i` of either lies at `i * stride`.
void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, float *outputs,
    long count);

/// Writes to `powers` (pairs, by bin up to half of `count`) the powers of the two real signals
/// whose `count` samples were transformed together into `bins` (pairs, behind the last one the
/// first again), times `scale`.
void lanes_twin_powers(const float *bins, long count, float scale, float *powers);

/// Writes to `powers` the power of both signals together that were transformed into `first`, and of
/// those that were transformed into `second`, all pairs as above, times `scale`; or adds it.
void lanes_joint_powers(
    const float *first, const float *second, long count, float scale, int adds, float *powers);

/// Writes the roots of pairs of powers, those of the bins from `first`, at least 1, to before
/// `end`, at the same bins of `roots` and at their mirror images among `count`.
void lanes_mirror_roots(
    const float *powers, long first, long end, long count, float *roots);

/// Bins that lie side by side.
typedef struct {
    long first;
    long count;
} LanesBand;

/// Writes to `sums`, for each of some bands, the sum of its pairs: a pair again.
void lanes_sum_bands(
    const float *pairs, const LanesBand *bands, long bandCount, float *sums);

/// Channels of a row of the speech network.
#define LANES_CHANNELS 24
/// Rows that its convolutions look at, an odd number.
#define LANES_TAPS 5

/// A dense layer for `rowCount` rows of inputs, a multiple of four, without what lies below zero.
///
/// Row `r` of the inputs begins at `r * inputStride` and holds `inputCount`. The weights of one
/// input lie side by side, behind them the offsets.
void lanes_dense_rows(
    const float *inputs, long inputStride, long inputCount, const float *weights, long rowCount,
    float *outputs);

/// A separable block for `rowCount` rows, a multiple of four: a convolution along time of rows that
/// lie `dilation` apart, without what lies below zero; then a dense layer, added to the rows that
/// went in.
///
/// Behind the weights of the convolution, a row a tap, come its offsets, the dense layer's weights
/// and its offsets.
void lanes_separable_rows(
    const float *rows, long dilation, const float *weights, long rowCount, float *outputs);

/// The sum of the products of `count` numbers, a multiple of eight.
float lanes_dot(const float *one, const float *other, long count);

/// Writes for each of some lanes which of `stepCount` steps its value lies in, of which there are
/// `perUnit` to one, from `lowest` up; what lies beyond them lies in the outermost.
void lanes_find_steps(
    const float *values, long lanes, float lowest, float perUnit, long stepCount,
    uint16_t *steps);

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
