// As what is compiled for AVX-512 goes about it, for any processor, and under other names.
#define WIDEST
#define IS_WIDE 1
#define lanes_low_pass wide_low_pass
#define lanes_window_pairs wide_window_pairs
#define lanes_twin_powers wide_twin_powers
#define lanes_add_joint_powers wide_add_joint_powers
#define lanes_turn_rows wide_turn_rows
#define lanes_sum_rows wide_sum_rows
#define lanes_periodicities wide_periodicities
#define lanes_dense_rows wide_dense_rows
#define lanes_separable_rows wide_separable_rows
#define lanes_row_dot wide_row_dot

#include "../../Sources/CLanes/lowpass.c"
#include "../../Sources/CLanes/network.c"
#include "../../Sources/CLanes/spectra.c"
