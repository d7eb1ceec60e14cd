import Recordings

/// The tables of an output's record.
///
/// Names and paths are blobs: they need not be UTF-8, and sort by their bytes.
enum RecordSchema {
    /// Increased when the tables change; `migrations` bring an older record up to date.
    static let version: Int64 = 1

    /// Identifies the file format, for file(1): "Tape".
    static let applicationID: Int64 = 0x5461_7065

    static let tables = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE recipes(id INTEGER PRIMARY KEY, recipe TEXT NOT NULL UNIQUE) STRICT;
        -- printed*: the stamp of the folder's manifest; NULL if it has to be printed.
        -- hasOrphans: whether files may be there whose recording has no entry.
        CREATE TABLE folders(
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE,
            recipe INTEGER REFERENCES recipes, printedBytes INTEGER, printedNanoseconds INTEGER,
            hasOrphans INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- entry: the recording as JSON, as in a manifest, without its recipe.
        CREATE TABLE entries(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recipe INTEGER NOT NULL REFERENCES recipes, entry TEXT NOT NULL,
            UNIQUE(folder, name)
        ) STRICT;
        -- state: current, kept (of a recording that has failed since) or obsolete (to be deleted).
        -- temporary: set until the file is at its name for certain. The stamp is the complete file's.
        CREATE TABLE files(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recording BLOB NOT NULL, state TEXT NOT NULL, bytes INTEGER,
            modifiedNanoseconds INTEGER, sha256 TEXT, temporary BLOB
        ) STRICT;
        CREATE INDEX filesByName ON files(folder, name);
        CREATE INDEX filesByRecording ON files(folder, recording);
        CREATE INDEX filesStaged ON files(folder) WHERE temporary IS NOT NULL;
        CREATE INDEX filesObsolete ON files(folder) WHERE state = 'obsolete';
        """
}
