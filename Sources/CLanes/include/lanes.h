// SIMD inner loops over sound, as wide as the processor allows.
//
// On Linux for x86-64 each is compiled three times: for baseline vectors, AVX2 and AVX-512; the
// loader picks the widest supported. All give the same bits: sums always run in a fixed number of
// lanes, and multiply-adds are never fused. Each comment names what a loop reads and writes; these
// must not overlap unless they are the same. Nothing is checked here: callers do that.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

/// The width in bits of the vectors that these loops use on this processor.
int lanes_width(void);

/// Converts `count` 16-bit samples to floats relative to full scale.
void lanes_widen(const int16_t *samples, long count, float *widened);

/// Converts left-aligned 32-bit samples likewise, and also writes their upper 16 bits.
void lanes_narrow(const int32_t *samples, long count, float *widened, int16_t *narrowed);

/// Interleaves `count` frames from separate channels, starting at sample `first`, shifted left:
/// writes the lowest two bytes of each sample, or all four.
void lanes_interleave(
    const int32_t *_Nonnull const *_Nonnull channels, long channelCount, long first, long count,
    int shift, long bytes, void *interleaved);

/// Converts `count` samples to 16 bits: times 32767, rounded to nearest, clamped. NaN and samples
/// above `largest`, which is at least 1000, are set to zero first.
void lanes_round(float *samples, long count, float largest, int16_t *rounded);

/// Converts like `lanes_round`, but rounds toward zero.
void lanes_truncate(float *samples, long count, float largest, int16_t *truncated);

/// Sorts `count` frames, a multiple of `factor`, into `factor` phases with room for `room` samples
/// each: frame `i` becomes number `i / factor` of phase `i % factor`.
void lanes_sort_frames(
    const float *frames, long channels, long factor, long count, float *phases, long room);

/// The offsets of the two samples of an arm's first tap in a symmetric low-pass; each further tap
/// lies one frame further before and after.
typedef struct {
    long before;
    long after;
} LanesArm;

/// A symmetric low-pass: the offset of its centre sample, and arms with equal numbers of taps.
///
/// The weights of each arm, from the innermost tap outward, follow those of the previous arm.
typedef struct {
    const LanesArm *arms;
    long armCount;
    const float *weights;
    long tapCount;
    long centre;
    float centreWeight;
} LanesLowPass;

/// Low-pass outputs computed at once.
#define LANES_GROUP 64

/// Writes `count` outputs of a low-pass, a multiple of `LANES_GROUP`: output `i` is the weighted
/// sum of the samples at the low-pass's offsets plus `i`.
void lanes_low_pass(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count);

/// Averages each of `count` pairs, toward zero; `mix` must not overlap `pairs`.
void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix);

/// Writes minimum and maximum of each of `rangeCount` runs of `count` samples, at least one.
void lanes_ranges(
    const int16_t *samples, long count, long rangeCount, int16_t *ranges);

/// Lanes in which samples are summed.
#define LANES_SUMS 32

/// The level sums of some samples of one channel.
typedef struct {
    double sum;
    double sumOfSquares;
    float peak;
} LanesLevels;

/// Writes the level sums of each channel among `count` samples, a multiple of `LANES_SUMS`, which
/// the channel count divides. Sample `i` is summed in lane `i % LANES_SUMS` in single precision,
/// and a channel's lanes in double.
void lanes_level_sums(
    const float *samples, long count, long channels, LanesLevels *levels);

/// The sum of the squares of `samples[i + distance] - samples[i]`, for `i` below `count`.
float lanes_step_squares(const float *samples, long distance, long count);

/// Windows two real signals of `count` samples, `stride` apart, into the real and imaginary parts
/// of complex numbers.
void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *pairs);

/// Writes the powers, times `scale`, of two real signals by bin up to `count / 2`, given their
/// joint transform of `count` numbers, followed by a copy of its first.
void lanes_twin_powers(
    const float *spectrum, long count, float scale, float *first, float *second);

/// Adds the summed powers of both signals to `powers`.
void lanes_add_joint_powers(const float *spectrum, long count, float scale, float *powers);

/// Spectra processed at once, each in one lane of the rows.
#define LANES_SPECTRA 16

/// Transposes `LANES_SPECTRA` rows, `stride` numbers apart, into `count` columns, a multiple of
/// four.
void lanes_turn_rows(const float *rows, long stride, long count, float *columns);

/// A range of adjacent rows.
typedef struct {
    long first;
    long count;
} LanesRows;

/// Writes to `sums`, for each set, the sum of its rows of `LANES_SPECTRA`, as a row.
void lanes_sum_rows(const float *rows, const LanesRows *sets, long setCount, float *sums);

/// Half the size of the transform whose lags are searched.
#define LANES_HALF_LAGS 64

/// The maximum number of bins used for them.
#define LANES_MOST_BINS 64

/// The lags at which spectra are autocorrelated.
///
/// `cosines` has a row for each lag from `first` to before `end`, a multiple of four in number:
/// `cos(pi * bin * lag / LANES_HALF_LAGS)` for the bins from `firstBin`, which is odd, with padding
/// after an odd number of bins. Each lag from `lowest` to `highest` has a row, or its mirror does
/// (`LANES_HALF_LAGS` minus the lag).
typedef struct {
    long firstBin;
    long binCount;
    long lowest;
    long highest;
    long first;
    long end;
    const float *cosines;
} LanesLags;

/// Writes, for each of `LANES_SPECTRA`, the highest autocorrelation of the roots of its powers
/// between two lags, relative to lag 0; zero if there is no power.
void lanes_periodicities(const float *powers, const LanesLags *lags, float *periodicities);

/// Converts powers to decibels in place, to 0.00001 dB; they must be normal numbers above zero;
/// zero gives some very low number.
void lanes_decibels(float *powers, long count);

/// Replaces numbers x between -120 and 120 by two to the power of x in place, to 0.0003 %.
void lanes_exponentials(float *numbers, long count);

/// Lanes of a row of bands, and channels of the speech network.
#define LANES_CHANNELS 24

/// Converts powers to decibels, with `least` added to each, and transposes the `LANES_SPECTRA`
/// columns, of `LANES_CHANNELS` powers each, into rows.
void lanes_levels(const float *sums, float least, float *rows);

/// Writes how far the lanes of each of `rowCount` rows are above those of its floor, another row,
/// clamped to lowest and highest; NaN gives the lowest.
///
/// `sums` receives two numbers per row: the sums over the lanes of two to the power of `exponent`
/// times the rise, each weighted by one of two rows of weights.
void lanes_rises(
    const float *rows, const float *floors, long rowCount, float lowest, float highest,
    float exponent, const float *weights, float *rises, float *sums);

/// Quantizes the first `count` lanes of each of `rowCount` rows to bytes: `perUnit` steps per unit
/// above `lowest`, rounded to nearest; the bytes of a row are adjacent.
void lanes_narrow_rows(
    const float *rows, long rowCount, long count, float lowest, float perUnit, uint8_t *bytes);

/// Converts bytes back to rows that begin `stride` numbers apart, rounded to the nearest integer.
void lanes_widen_rows(
    const uint8_t *bytes, long rowCount, long count, float lowest, float unit, long stride,
    int16_t *rows);

/// Taps of the speech network's convolutions, an odd number.
#define LANES_TAPS 5
/// Channels between the speech network's layers, a multiple of eight.
#define LANES_NETWORK_CHANNELS 32

/// Fractional bits of the speech network's numbers: of inputs and their weights, of rows, of taps,
/// of a convolution's outputs, and of the weights after it.
#define LANES_INPUT_BITS 12
#define LANES_FRONT_BITS 12
#define LANES_ROW_BITS 8
#define LANES_TAP_BITS 14
#define LANES_MIX_BITS 9
#define LANES_ACROSS_BITS 12

/// The weights of a speech network layer.
///
/// Weights of taps are stored by channel; those of inputs in pairs, all channels of a pair
/// together. `offsets` are added to the sums, and include half of the last bit retained, for
/// rounding. No sum may exceed 32 bits, whatever inputs the caller allows.
typedef struct {
    const int16_t *weights;
    const int32_t *offsets;
} LanesLayer;

/// A dense layer with ReLU for `rowCount` rows of inputs.
///
/// Row `r` of the inputs begins at `r * inputStride` and holds `inputCount`, an even number.
void lanes_dense_rows(
    const int16_t *inputs, long inputStride, long inputCount, const LanesLayer *layer,
    long rowCount, int16_t *outputs);

/// A separable block for `rowCount` rows of channels: a convolution over rows `dilation` apart,
/// with ReLU; then a dense layer, added to the block's input.
///
/// Results saturate at both ends of the number range.
void lanes_separable_rows(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs);

/// The dot product of a row's lanes and weights.
float lanes_row_dot(const int16_t *row, const float *weights);

/// Writes the step of each value, out of `stepCount` steps from `lowest` up, with `perUnit` steps
/// per unit; values beyond them get the outermost step, and NaN the first.
void lanes_find_steps(
    const float *values, long count, float lowest, float perUnit, long stepCount,
    uint16_t *steps);

/// A move of a window: the number of the row that enters and of the one that leaves, or -1; and the
/// rank of the value wanted in each lane, below the number of values, or -1.
typedef struct {
    int32_t come;
    int32_t gone;
    float rank;
} LanesMove;

/// Moves a window, and writes a row of values for each move that asks for a rank: `unit` per step
/// above `lowest`, as if the values of a step were evenly spread.
///
/// Rows of steps and of results begin `stride` numbers apart; their first `lanes` lanes count, up
/// to `LANES_CHANNELS`. `counts` holds the place of each lane, which is one of `stepCount` steps;
/// then the number of values below it, for each lane; then a histogram by step for each lane.
void lanes_slide(
    const LanesMove *moves, long moveCount, const uint16_t *steps, long stride, long lanes,
    long stepCount, float lowest, float unit, uint16_t *counts, float *found);

/// Writes, for each of `rowCount` rows, a share of the sum of the last `length` rows including it,
/// each rounded to 1/256.
///
/// `held` holds those `length` rows, and has room for the new ones, which are appended; `sum` is
/// the row of their sums, updated to the last ones.
void lanes_moving_means(
    const float *rows, long rowCount, long length, const float *shares, float *held, float *sum,
    float *means);

#pragma clang assume_nonnull end
