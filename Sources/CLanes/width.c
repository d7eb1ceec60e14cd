#include "vectors.h"

int lanes_width(void) {
#if defined(__x86_64__) && defined(__ELF__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports(WIDE)) return 512;
    if (__builtin_cpu_supports(MIDDLE)) return 256;
#endif
    return 128;
}
