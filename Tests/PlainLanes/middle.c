// What is only run where there is AVX2 and no more, under other names.
#if defined(__x86_64__) && defined(__ELF__)
#include "../../Sources/CLanes/include/lanes.h"

#define WIDEST
#define CLONED
#define lanes_width() 256
#define lanes_dense_rows middle_dense_rows
#define lanes_separable_rows middle_separable_rows
#define lanes_row_dot middle_row_dot

#include "../../Sources/CLanes/network.c"
#endif
