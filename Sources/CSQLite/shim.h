#pragma once

#include <sqlite3.h>

// Swift does not import macros that are computed.
static const int sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;

// Has a connection leave the write-ahead log alone when it is closed; Swift cannot call a function
// with any number of arguments.
static inline int leave_log_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
