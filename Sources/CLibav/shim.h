#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>

// Macros that Swift does not import.
static const int libav_error_eof = AVERROR_EOF;
static const int64_t libav_no_time = AV_NOPTS_VALUE;
static const int libav_error_exit = AVERROR_EXIT;
static const int libav_error_invalid_data = AVERROR_INVALIDDATA;
static const int64_t libav_no_timestamp = AV_NOPTS_VALUE;
