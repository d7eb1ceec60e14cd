// What is run on other processors than those with SSE2, under other names.
#define WIDEST
#define PORTABLE
#define lanes_dense_rows portable_dense_rows
#define lanes_separable_rows portable_separable_rows
#define lanes_row_dot portable_row_dot

#include "../../Sources/CLanes/network.c"
