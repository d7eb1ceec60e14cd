// The loops of CLanes as every processor runs them, to hold the wider ones against.
#pragma once

#include "lanes.h"

#pragma clang assume_nonnull begin

void plain_widen(const int16_t *samples, long count, float *widened);
void plain_narrow(const int32_t *samples, long count, float *widened, int16_t *narrowed);
void plain_interleave(
    const int32_t *_Nonnull const *_Nonnull channels, long channelCount, long first, long count,
    int shift, long bytes, void *interleaved);
void plain_round(float *samples, long count, float largest, int16_t *rounded);
void plain_truncate(float *samples, long count, float largest, int16_t *truncated);
void plain_sort_frames(
    const float *frames, long channels, long factor, long count, float *phases, long room);
void plain_low_pass(
    const float *samples, const LanesLowPass *filter, long channels, float *outputs, long count);
void plain_mix_pairs(const int16_t *pairs, long count, int16_t *mix);
void plain_ranges(
    const int16_t *samples, long count, long rangeCount, int16_t *ranges);
void plain_level_sums(
    const float *samples, long count, long channels, LanesLevels *levels);
float plain_step_squares(const float *samples, long distance, long count);
void plain_window_pairs(
    const float *first, const float *second, long stride, const float *window, long count,
    float *pairs);
void plain_twin_powers(
    const float *spectrum, long count, float scale, float *first, float *second);
void plain_add_joint_powers(const float *spectrum, long count, float scale, float *powers);
void plain_turn_rows(const float *rows, long stride, long count, float *columns);
void plain_sum_rows(const float *rows, const LanesRows *sets, long setCount, float *sums);
void plain_periodicities(const float *powers, const LanesLags *lags, float *periodicities);
void plain_decibels(float *powers, long count);
void plain_exponentials(float *numbers, long count);
void plain_levels(const float *sums, float least, float *rows);
void plain_rises(
    const float *rows, const float *floors, long rowCount, float lowest, float highest,
    float exponent, const float *weights, float *rises, float *sums);
void plain_narrow_rows(
    const float *rows, long rowCount, long count, float lowest, float perUnit, uint8_t *bytes);
void plain_widen_rows(
    const uint8_t *bytes, long rowCount, long count, float lowest, float unit, long stride,
    int16_t *rows);
void plain_dense_rows(
    const int16_t *inputs, long inputStride, long inputCount, const LanesLayer *layer,
    long rowCount, int16_t *outputs);
void plain_separable_rows(
    const int16_t *rows, long dilation, const LanesLayer *along, const LanesLayer *across,
    long rowCount, int16_t *outputs);
float plain_row_dot(const int16_t *row, const float *weights);
void plain_find_steps(
    const float *values, long count, float lowest, float perUnit, long stepCount,
    uint16_t *steps);
void plain_slide(
    const LanesMove *moves, long moveCount, const uint16_t *steps, long stride, long lanes,
    long stepCount, float lowest, float unit, uint16_t *counts, float *found);
void plain_moving_means(
    const float *rows, long rowCount, long length, const float *shares, float *held, float *sum,
    float *means);

#pragma clang assume_nonnull end
