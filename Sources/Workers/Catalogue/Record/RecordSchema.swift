import Recordings

/// The tables of an output's record.
///
/// Names and paths are blobs: they need not be UTF-8, and sort by their bytes.
enum RecordSchema {
    /// Increased when the tables change; a record of a later version is refused.
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
        -- entry: the recording as JSON, as in a manifest, without its recipe. changedSeconds: since 1970.
        CREATE TABLE entries(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recipe INTEGER NOT NULL REFERENCES recipes, entry TEXT NOT NULL,
            changedSeconds INTEGER NOT NULL, UNIQUE(folder, name)
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
    /// What `tapedeck query` is asked about, with the manifest's names and units; documented in
    /// docs/query.md.
    static let views = """
        CREATE VIEW recordings AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name,
            json_extract(entry, '$.status') AS status,
            json_extract(entry, '$.format.durationSeconds') AS durationSeconds,
            json_extract(entry, '$.format.container') AS container,
            json_extract(entry, '$.format.encoding') AS encoding,
            json_extract(entry, '$.format.sampleRateHertz') AS sampleRateHertz,
            json_extract(entry, '$.format.channels') AS channels,
            json_extract(entry, '$.source.bytes') AS bytes,
            json_extract(entry, '$.source.modifiedNanoseconds') / 1e9 AS modifiedSeconds,
            (SELECT max(value) FROM json_each(entry, '$.levels.peakDBFS')) AS peakDBFS,
            (SELECT max(value) FROM json_each(entry, '$.levels.rmsDBFS')) AS rmsDBFS,
            (SELECT sum(value) FROM json_each(entry, '$.levels.clippedSamples')) AS clippedSamples,
            json_extract(entry, '$.silence.noiseFloorDBFS') AS noiseFloorDBFS,
            json_extract(entry, '$.silence.signalToNoiseDecibels') AS signalToNoiseDecibels,
            json_extract(entry, '$.silence.confidence') AS confidence,
            json_extract(entry, '$.silence.silent') AS silent,
            (SELECT sum(json_extract(value, '$[1]') - json_extract(value, '$[0]'))
                FROM json_each(entry, '$.silence.intervalsSeconds')) AS silenceSeconds,
            json_extract(entry, '$.trimmed.path') AS trimmed,
            json_extract(entry, '$.trimmed.durationSeconds') AS trimmedSeconds,
            json_extract(entry, '$.warnings[0].kind') AS warning,
            json_extract(entry, '$.failure.reason') AS failure,
            json_extract(entry, '$.sourceSHA256') AS sha256,
            datetime(changedSeconds, 'unixepoch') AS changed
            FROM entries AS e JOIN folders AS f ON e.folder = f.id;
        CREATE VIEW silences AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name,
            json_extract(value, '$[0]') AS startSeconds, json_extract(value, '$[1]') AS endSeconds
            FROM entries AS e JOIN folders AS f ON e.folder = f.id,
            json_each(entry, '$.silence.intervalsSeconds');
        CREATE VIEW outputs AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(o.name AS TEXT) AS name, CAST(recording AS TEXT) AS recording, state, bytes, sha256
            FROM files AS o JOIN folders AS f ON o.folder = f.id;
        CREATE VIEW failures AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name, json_extract(entry, '$.failure.stage') AS stage,
            json_extract(entry, '$.failure.reason') AS reason,
            json_extract(entry, '$.failure.detail') AS detail,
            datetime(changedSeconds, 'unixepoch') AS changed
            FROM entries AS e JOIN folders AS f ON e.folder = f.id
            WHERE json_extract(entry, '$.status') = 'failed';
        """
}
