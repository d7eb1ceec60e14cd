#pragma once
#include <FLAC/format.h>
#include <FLAC/stream_decoder.h>

/// The name that libFLAC writes into files.
static inline const char *cflac_name(void) { return FLAC__VENDOR_STRING; }
