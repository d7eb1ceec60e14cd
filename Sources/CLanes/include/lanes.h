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

/// The width in bits of the vectors that the loops below use on this processor.
int lanes_width(void);

/// Writes `count` samples of 16 bits as what they are of full scale.
void lanes_widen(const int16_t *samples, long count, float *widened);

/// The same for left-aligned samples of 32 bits, and their upper 16.
void lanes_narrow(const int32_t *samples, long count, float *widened, int16_t *narrowed);

/// Writes `count` frames of what so many channels have from their sample `first` on, shifted left:
/// of each sample the lowest two bytes, or all four.
void lanes_interleave(
    const int32_t *_Nonnull const *_Nonnull channels, long channelCount, long first, long count,
    int shift, long bytes, void *interleaved);

/// Writes `count` samples in 16 bits: times 32767, to the nearest, clamped. Those that are no
/// numbers, or larger than the largest, which is 1000 or more, become zero first.
void lanes_round(float *samples, long count, float largest, int16_t *rounded);

/// The same, but toward zero.
void lanes_truncate(float *samples, long count, float largest, int16_t *truncated);

/// Sorts `count` frames, a multiple of `factor`, of so many channels by phase, of which there are
/// `factor`, each with room for `room` samples: frame `i` becomes number `i / factor` of phase
/// `i % factor`.
void lanes_sort_frames(
    const float *frames, long channels, long factor, long count, float *phases, long room);

/// Where the samples lie that the first taps of an arm of a symmetric low-pass serve: those of each
/// further tap lie a frame further before, and a frame further after.
typedef struct {
    long before;
    long after;
} LanesArm;

/// A symmetric low-pass: where the sample lies that stands alone, and arms of so many taps each.
///
/// The weights of an arm, from the innermost tap on, stand behind those of the one before it.
typedef struct {
    const LanesArm *arms;
    long armCount;
    const float *weights;
    long tapCount;
    long centre;
    float centreWeight;
} LanesLowPass;

/// Outputs of a low-pass that are made at once.
#define LANES_GROUP 64

/// Writes `count` outputs, a multiple of the group, for frames of so many channels: the weighted
/// sums of the samples that the low-pass says, for output `i` of those that lie `i` behind them.
void lanes_low_pass(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count);

/// Writes for each of `count` pairs half its sum, toward zero; the mix lies apart from the pairs.
void lanes_mix_pairs(const int16_t *pairs, long count, int16_t *mix);

/// Writes the lowest and the highest of each of so many runs of `count` samples, at least one.
void lanes_ranges(
    const int16_t *samples, long count, long rangeCount, int16_t *ranges);

/// Lanes in which samples are summed.
#define LANES_SUMS 32

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

/// Writes two real signals of `count` samples, each times a window, as the real and the imaginary
/// parts of numbers. From a sample of a signal to the next it is `stride`.
void lanes_window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *pairs);

/// Writes, by bin up to half of `count`, the powers of the two real signals whose transform of so
/// many numbers is given, times `scale`. Behind its last number stands the first once more.
void lanes_twin_powers(
    const float *spectrum, long count, float scale, float *first, float *second);

/// Adds to `powers` those of both signals together.
void lanes_add_joint_powers(const float *spectrum, long count, float scale, float *powers);

/// Spectra that are looked at together, each in a lane of rows as long.
#define LANES_SPECTRA 16

/// Writes rows, of which there are `LANES_SPECTRA` that begin `stride` numbers apart, as `count`
/// columns, a multiple of four.
void lanes_turn_rows(const float *rows, long stride, long count, float *columns);

/// Rows that lie side by side.
typedef struct {
    long first;
    long count;
} LanesRows;

/// Writes to `sums` for each of some sets the sum of its rows of `LANES_SPECTRA`: a row again.
void lanes_sum_rows(const float *rows, const LanesRows *sets, long setCount, float *sums);

/// Half of the numbers in whose transform lags are looked for.
#define LANES_HALF_LAGS 64

/// No more bins are looked at for them.
#define LANES_MOST_BINS 64

/// The lags at which spectra are held against themselves.
///
/// The cosines are those of the lags from `first` to before `end`, a multiple of four, a row each:
/// for the bins, from `firstBin` on, which is odd, `cos(pi * bin * lag / LANES_HALF_LAGS)`; if
/// these are an odd number, something follows. What is between `lowest` and `highest` stands among
/// them, or what it lacks to half of all does.
typedef struct {
    long firstBin;
    long binCount;
    long lowest;
    long highest;
    long first;
    long end;
    const float *cosines;
} LanesLags;

/// Writes for each of `LANES_SPECTRA` the highest value between two lags of the autocorrelation
/// that belongs to the roots of its powers, over its value without a lag; zero where there is no
/// power.
void lanes_periodicities(const float *powers, const LanesLags *lags, float *periodicities);

/// Brings powers to decibels where they stand, to 0.00001 dB: normal numbers above zero; zero
/// becomes some number far below.
void lanes_decibels(float *powers, long count);

/// Brings numbers between -120 and 120 to two to their power where they stand, to 0.0003 %.
void lanes_exponentials(float *numbers, long count);

/// Lanes of a row of bands, and channels of the speech network.
#define LANES_CHANNELS 24

/// Brings powers, `least` added to each, to decibels, and their columns, `LANES_SPECTRA` of as many
/// as `LANES_CHANNELS`, to rows.
void lanes_levels(const float *sums, float least, float *rows);

/// Writes how far the lanes of each of `rowCount` rows lie above those of its floor, which is
/// another row, and no more than the highest nor less than the lowest, which also stands for what
/// is no number.
///
/// To `sums` go two numbers for each row: the sum of two to the power of `exponent` times the rise
/// of each lane, times the weights of the lanes, which are two rows.
void lanes_rises(
    const float *rows, const float *floors, long rowCount, float lowest, float highest,
    float exponent, const float *weights, float *rises, float *sums);

/// Writes the first `count` lanes of each of `rowCount` rows as bytes: how many units they lie over
/// `lowest`, of which there are `perUnit` to one, to the nearest, those of a row behind each other.
void lanes_narrow_rows(
    const float *rows, long rowCount, long count, float lowest, float perUnit, uint8_t *bytes);

/// Writes bytes back as rows that begin `stride` numbers apart: the whole numbers that are nearest.
void lanes_widen_rows(
    const uint8_t *bytes, long rowCount, long count, float lowest, float unit, long stride,
    int16_t *rows);

/// Rows that a convolution of the speech network looks at, an odd number.
#define LANES_TAPS 5

/// How many bits of the speech network's numbers lie behind the point: of inputs and of what they
/// are multiplied by, of rows, of taps, of what a convolution leaves, and of what follows it.
#define LANES_INPUT_BITS 12
#define LANES_FRONT_BITS 12
#define LANES_ROW_BITS 8
#define LANES_TAP_BITS 14
#define LANES_MIX_BITS 9
#define LANES_ACROSS_BITS 12

/// What a layer of the speech network multiplies its inputs by.
///
/// Weights of taps stand channel by channel; those of inputs in pairs, those of a pair for all
/// channels behind each other. The sums are the offsets' more, among which is half of what the last
/// bit stands for that is kept of them. Whatever inputs the caller lets in, no sum may be larger
/// than 32 bits hold.
typedef struct {
    const int16_t *weights;
    const int32_t *offsets;
} LanesLayer;

/// A dense layer for `rowCount` rows of inputs, without what lies below zero.
///
/// Row `r` of the inputs begins at `r * inputStride` and holds `inputCount`, an even number.
void lanes_dense_rows(
    const int16_t *inputs, long inputStride, long inputCount, const LanesLayer *layer,
    long rowCount, int16_t *outputs);

/// A separable block for `rowCount` rows of channels: a convolution along time of rows that lie
/// `dilation` apart, without what lies below zero; then a dense layer, added to the rows that went
/// in.
///
/// What is larger than a number can be becomes the largest there is, at either end.
void lanes_separable_rows(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs);

/// The sum of the products of the lanes of a row and of weights.
float lanes_row_dot(const int16_t *row, const float *weights);

/// Writes which of `stepCount` steps each of some values lies in, of which there are `perUnit` to
/// one, from `lowest` up; what lies beyond them lies in the outermost, and what is no number in the
/// first.
void lanes_find_steps(
    const float *values, long count, float lowest, float perUnit, long stepCount,
    uint16_t *steps);

/// A row that comes into a window, one that goes, each by its number, or -1; and how many values of
/// each lane lie before the one that is then asked for, fewer than there are, or -1.
typedef struct {
    int32_t come;
    int32_t gone;
    float rank;
} LanesMove;

/// Moves a window, and writes for each move that asks for a value a row of what the values are,
/// `unit` for each step over `lowest`: those of a step lie evenly.
///
/// Rows, those of steps and those that are written, begin `stride` numbers apart, and their first
/// lanes count, up to `LANES_CHANNELS`. `counts` holds a place for each lane, which is one of
/// `stepCount` steps, then how many of its values lie in the steps before, and behind them how many
/// values lie in each step, one lane's behind the other's.
void lanes_slide(
    const LanesMove *moves, long moveCount, const uint16_t *steps, long stride, long lanes,
    long stepCount, float lowest, float unit, uint16_t *counts, float *found);

/// Writes for each of `rowCount` rows a share of the sum of the last `length`, to the nearest 1/256
/// each, this one included.
///
/// These are held, so many of them, and `sum` is a row of their sums; there is room for as many
/// more as come, which are held behind them then, and the sums are those of the last ones.
void lanes_moving_means(
    const float *rows, long rowCount, long length, const float *shares, float *held, float *sum,
    float *means);

#pragma clang assume_nonnull end
