// Without clones, and under other names.
#define WIDEST
#define lanes_widen plain_widen
#define lanes_narrow plain_narrow
#define lanes_interleave plain_interleave
#define lanes_round plain_round
#define lanes_truncate plain_truncate
#define lanes_sort_frames plain_sort_frames
#define lanes_low_pass plain_low_pass
#define lanes_mix_pairs plain_mix_pairs
#define lanes_ranges plain_ranges
#define lanes_level_sums plain_level_sums
#define lanes_step_squares plain_step_squares
#define lanes_window_pairs plain_window_pairs
#define lanes_twin_powers plain_twin_powers
#define lanes_add_joint_powers plain_add_joint_powers
#define lanes_turn_rows plain_turn_rows
#define lanes_sum_rows plain_sum_rows
#define lanes_periodicities plain_periodicities
#define lanes_decibels plain_decibels
#define lanes_exponentials plain_exponentials
#define lanes_levels plain_levels
#define lanes_rises plain_rises
#define lanes_narrow_rows plain_narrow_rows
#define lanes_widen_rows plain_widen_rows
#define lanes_dense_rows plain_dense_rows
#define lanes_separable_rows plain_separable_rows
#define lanes_row_dot plain_row_dot
#define lanes_find_steps plain_find_steps
#define lanes_slide plain_slide
#define lanes_moving_means plain_moving_means

#include "../../Sources/CLanes/counts.c"
#include "../../Sources/CLanes/lowpass.c"
#include "../../Sources/CLanes/network.c"
#include "../../Sources/CLanes/rows.c"
#include "../../Sources/CLanes/samples.c"
#include "../../Sources/CLanes/spectra.c"
