import Recordings

/// The tables of an output's record.
///
/// Names and paths are blobs: they need not be UTF-8, and sort by their bytes.
enum RecordSchema {
    /// Increased when the tables change, or an entry may say what earlier versions do not know; a
    /// record of a later version is refused.
    static let version: Int64 = 6

    /// Identifies the file format, for file(1): "Tape".
    static let applicationID: Int64 = 0x5461_7065

    static let tables = base + entries + entryIndices + fileIndices + exports

    private static let base = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE recipes(id INTEGER PRIMARY KEY, recipe TEXT NOT NULL UNIQUE) STRICT;
        -- printed*: the stamp of the folder's manifest; NULL if it has to be printed.
        -- hasOrphans: whether files may be there whose recording has no entry.
        CREATE TABLE folders(
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE,
            recipe INTEGER REFERENCES recipes, printedBytes INTEGER, printedNanoseconds INTEGER,
            hasOrphans INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- state: current, kept (of a recording that has failed since) or obsolete (to be deleted).
        -- kind: waveform, copy or copyWaveform; NULL if unknown.
        -- temporary: set until the file is at its name for certain. The stamp is the complete file's.
        CREATE TABLE files(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recording BLOB NOT NULL, state TEXT NOT NULL, kind TEXT,
            bytes INTEGER, modifiedNanoseconds INTEGER, sha256 TEXT, temporary BLOB
        ) STRICT;

        """

    /// The columns that a listing needs are stored beside the entry that they are taken from: to
    /// decode 100,000 entries takes longer than all else in a run with nothing to do.
    private static let entries = """
        -- entry: the recording as JSON, as in a manifest, without its recipe. changedSeconds: since 1970.
        -- identity: of the recording's file, whatever its name.
        CREATE TABLE entries(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders,
            name BLOB NOT NULL, recipe INTEGER NOT NULL REFERENCES recipes,
            changedSeconds INTEGER NOT NULL, entry TEXT NOT NULL,
            identity INTEGER,
            status TEXT AS (entry ->> '$.status') STORED,
            bytes INTEGER AS (entry ->> '$.source.bytes') STORED,
            modifiedNanoseconds INTEGER AS (entry ->> '$.source.modifiedNanoseconds') STORED,
            sha256 TEXT AS (entry ->> '$.sourceSHA256') STORED,
            container TEXT AS (entry ->> '$.format.container') STORED,
            encoding TEXT AS (entry ->> '$.format.encoding') STORED,
            sampleRateHertz INTEGER AS (entry ->> '$.format.sampleRateHertz') STORED,
            channels INTEGER AS (entry ->> '$.format.channels') STORED,
            frames INTEGER AS (entry ->> '$.format.frames') STORED,
            silent INTEGER AS (entry ->> '$.silence.silent') STORED,
            isMeasured INTEGER AS (json_type(entry, '$.levels') IS NOT NULL
                AND json_type(entry, '$.waveforms') IS NOT NULL) STORED,
            hasMessage INTEGER AS (json_type(entry, '$.decoderMessage') IS NOT NULL) STORED,
            trimmedSeconds REAL AS (entry ->> '$.trimmed.durationSeconds') STORED,
            decoding TEXT AS (entry ->> '$.decoding') STORED,
            warnings TEXT AS (entry ->> '$.warnings') STORED,
            failure TEXT AS (entry ->> '$.failure') STORED,
            UNIQUE(folder, name)
        ) STRICT;

        """

    private static let entryIndices = """
        CREATE INDEX entriesByIdentity ON entries(identity) WHERE identity IS NOT NULL;
        CREATE INDEX entriesByContent ON entries(bytes, sha256) WHERE sha256 IS NOT NULL;
        \(changeIndex)

        """

    /// For who asks what has changed; records of before do without until they are opened to write.
    static let changeIndex =
        "CREATE INDEX IF NOT EXISTS entriesByChange ON entries(folder, changedSeconds);"

    private static let fileIndices = """
        CREATE INDEX filesByName ON files(folder, name);
        CREATE INDEX filesByRecording ON files(folder, recording);
        CREATE INDEX filesStaged ON files(folder) WHERE temporary IS NOT NULL;
        CREATE INDEX filesObsolete ON files(folder) WHERE state = 'obsolete';

        """

    private static let exports = """
        -- Exports that runs keep current. earlier: the digest of the file that was replaced last, which
        -- a loss of power may bring back.
        CREATE TABLE exports(
            path BLOB PRIMARY KEY, format TEXT NOT NULL, bytes INTEGER NOT NULL,
            modifiedNanoseconds INTEGER NOT NULL, sha256 TEXT NOT NULL, earlier TEXT
        ) STRICT, WITHOUT ROWID;

        """

    /// Turns tables of an earlier version into those of this one; `views` are to be made after it.
    static func migration(from version: Int64) -> String {
        let tables =
            switch version {
            case 1: renaming + entries + moving + addingKinds + entryIndices
            case 2: "ALTER TABLE entries ADD COLUMN identity INTEGER;" + entryIndices
            default: ""
            }
        return droppingViews + tables + (version < 5 ? exports : "")
    }

    private static let droppingViews =
        "DROP VIEW recordings; DROP VIEW silences; DROP VIEW outputs; DROP VIEW failures;"
        + "DROP VIEW IF EXISTS segments;"

    private static let renaming = "ALTER TABLE entries RENAME TO earlierEntries;"

    private static let moving = """
        INSERT INTO entries(id, folder, name, recipe, changedSeconds, entry)
            SELECT id, folder, name, recipe, changedSeconds, entry FROM earlierEntries;
        DROP TABLE earlierEntries;

        """

    private static let addingKinds = """
        ALTER TABLE files ADD COLUMN kind TEXT;
        UPDATE files SET kind = CASE
            WHEN name = (SELECT CAST(entry ->> '$.trimmed.path' AS BLOB) FROM entries AS e
                WHERE e.folder = files.folder AND e.name = files.recording) THEN 'copy'
            ELSE 'waveform' END
            WHERE state = 'current';

        """

    /// What `tapedeck query` is asked about, with the manifest's names and units; documented in
    /// docs/query.md.
    static let views = """
        CREATE VIEW recordings AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name,
            status,
            json_extract(entry, '$.format.durationSeconds') AS durationSeconds,
            container, encoding, sampleRateHertz, channels, bytes,
            modifiedNanoseconds / 1e9 AS modifiedSeconds,
            entry ->> '$.metadata.recordedAt' AS recordedAt,
            entry ->> '$.metadata.title' AS title,
            entry ->> '$.metadata.recorder' AS recorder,
            entry ->> '$.metadata.description' AS description,
            entry ->> '$.metadata.tags' AS tags,
            (SELECT max(value) FROM json_each(entry, '$.levels.peakDBFS')) AS peakDBFS,
            (SELECT max(value) FROM json_each(entry, '$.levels.rmsDBFS')) AS rmsDBFS,
            (SELECT sum(value) FROM json_each(entry, '$.levels.clippedSamples')) AS clippedSamples,
            json_extract(entry, '$.silence.noiseFloorDBFS') AS noiseFloorDBFS,
            json_extract(entry, '$.silence.signalToNoiseDecibels') AS signalToNoiseDecibels,
            json_extract(entry, '$.silence.confidence') AS confidence,
            silent,
            (SELECT sum(json_extract(value, '$[1]') - json_extract(value, '$[0]'))
                FROM json_each(entry, '$.silence.intervalsSeconds')) AS silenceSeconds,
            entry ->> '$.trimmed.path' AS trimmed, trimmedSeconds,
            warnings ->> '$[0].kind' AS warning, failure ->> '$.reason' AS failure, sha256,
            datetime(changedSeconds, 'unixepoch') AS changed
            FROM entries AS e JOIN folders AS f ON e.folder = f.id;
        \(stretches("silences", of: "intervalsSeconds", "$[0]", "$[1]"));
        \(stretches(
            "segments", of: "segments", "$.startSeconds", "$.endSeconds",
            "levelDBFS", "signalToNoiseDecibels", "confidence"));
        CREATE VIEW outputs AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(o.name AS TEXT) AS name, CAST(recording AS TEXT) AS recording, kind, state,
            bytes, sha256
            FROM files AS o JOIN folders AS f ON o.folder = f.id;
        CREATE VIEW failures AS SELECT
            CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name, failure ->> '$.stage' AS stage,
            failure ->> '$.reason' AS reason, failure ->> '$.detail' AS detail,
            datetime(changedSeconds, 'unixepoch') AS changed
            FROM entries AS e JOIN folders AS f ON e.folder = f.id
            WHERE status = 'failed';
        """

    /// A view of silences or segments: those of recordings, whose channel is NULL, and those of
    /// channels that were looked at by themselves.
    private static func stretches(
        _ view: String, of member: String, _ start: String, _ end: String, _ others: String...
    ) -> String {
        let columns = others.map { ", json_extract(s.value, '$.\($0)') AS \($0)" }.joined()
        let select = """
            SELECT CASE f.path WHEN x'' THEN '.' ELSE CAST(f.path AS TEXT) END AS folder,
            CAST(e.name AS TEXT) AS name, json_extract(s.value, '\(start)') AS startSeconds,
            json_extract(s.value, '\(end)') AS endSeconds\(columns)
            """
        return """
            CREATE VIEW \(view) AS \(select), NULL AS channel
            FROM entries AS e JOIN folders AS f ON e.folder = f.id,
            json_each(entry, '$.silence.\(member)') AS s
            UNION ALL \(select), c.key + 1
            FROM entries AS e JOIN folders AS f ON e.folder = f.id,
            json_each(entry, '$.silence.channels') AS c, json_each(c.value, '$.\(member)') AS s
            """
    }
}
