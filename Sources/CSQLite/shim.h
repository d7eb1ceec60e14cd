#pragma once

#include <sqlite3.h>

// Swift does not import macros that are computed.
static const int sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
