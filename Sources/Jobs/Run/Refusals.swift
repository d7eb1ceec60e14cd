import Recordings

/// Why a run, or a report of its results, cannot begin; thrown before anything is written.
package enum RunRefusal: Error, Hashable, Sendable {
    case pathMissing(Pathname)
    /// `detail` has the system's own words.
    case pathUnreadable(Pathname, detail: String)
    /// The path is, or lies in, a folder that an earlier run wrote.
    case pathIsOutput(Pathname)
    /// The output is a folder whose recordings are to be read.
    case outputIsSource(Pathname)
    /// The recordings lie inside the output folder.
    case outputHoldsSources(output: Pathname, source: Pathname)
    /// The output exists, and holds recordings or manifests that no run has put there.
    case outputHoldsFiles(output: Pathname, file: Pathname)
    /// The output lies in another output, whose runs would treat its files as their own.
    case outputInOutput(Pathname, of: Pathname)
    case outputNotAFolder(Pathname)
    /// Nothing is in the folder of recordings, as if its disk were not mounted.
    case recordingsAway(Pathname)
    case outputNotMade(Pathname, detail: String)
    /// One of the output's own files is not a regular file.
    case outputFileNotRegular(Pathname)
    /// One of the output's own files belongs to another user.
    case outputFileOfAnother(Pathname)
    /// The record of an output is unreadable; `detail` is `nil` if a later version wrote it.
    case recordUnreadable(Pathname, detail: String?)
    /// Another run is writing to the output; `holder` is its process ID, if known.
    case outputBusy(Pathname, holder: Int32?)
    /// The output holds the results of recordings in another folder, which still exists.
    case outputOfOthers(output: Pathname, root: Pathname)
    /// Too few file descriptors are free to process even one recording.
    case tooFewOpenFiles(free: Int, needed: Int)
    /// Too few threads can be started to process even one recording.
    case tooFewThreads(free: Int, needed: Int)
    /// The path is no output folder, lies in none, and has none in the default place.
    case noResults(Pathname)
    /// The output does not record where its recordings are, or they no longer exist there.
    case recordingsUnknown(output: Pathname)
    /// Recordings are to be decoded in processes of their own, which do not start.
    case cannotIsolate(isHelperThere: Bool)
    /// A list of paths cannot be followed.
    case list(Pathname, ListRefusal)
    /// Shards of this output cannot be worked on or merged.
    case shards(Pathname, ShardRefusal)
}

/// Why a list of paths cannot be followed.
package enum ListRefusal: Error, Hashable, Sendable {
    /// `detail` has the system's own words.
    case unreadable(detail: String)
    /// Its paths are relative to a folder, but this is none.
    case notAFolder(Pathname)
    /// Some of its paths do not exist.
    case missing(count: Int, example: Pathname, folder: Pathname)
    /// One of its paths is not in the folder.
    case elsewhere(Pathname, folder: Pathname)
}

/// Why a picture is not drawn or not written; an existing file is left unchanged.
package enum PictureRefusal: Error, Hashable, Sendable {
    /// The file exists and is not a picture.
    case holdsSomethingElse(Pathname)
    case notWritten(Pathname, RecordingFailure)
    /// The library that draws is not installed.
    case noCairo
    /// `detail` has the library's own words.
    case notDrawn(detail: String)
    /// The part to be drawn lies behind the recording.
    case startsBeyondEnd(startSeconds: Double, durationSeconds: Double)
}

/// Why a trace cannot be written or read.
package enum TraceRefusal: Error, Hashable, Sendable {
    /// It would overwrite a file that is not a trace.
    case foreign(Pathname)
    /// `detail` has the system's own words.
    case notWritten(Pathname, detail: String)
    case notRead(Pathname, detail: String)
    case notATrace(Pathname)
    /// This version does not know its format.
    case otherFormat(Pathname, Int)
    /// Lines are counted from 1.
    case damaged(Pathname, line: Int)
}

/// Why a query has no answer.
package enum QueryRefusal: Error, Hashable, Sendable {
    /// With SQLite's own words.
    case wrong(String)
    case notOneStatement
    /// It is more than a SELECT.
    case notOnlyReading
    /// With the system's own words.
    case unreadable(detail: String)
}

/// Why an export is not written; existing files are left unchanged.
package enum ExportRefusal: Error, Hashable, Sendable {
    /// A file of that name exists.
    case exists(Pathname)
    /// `detail` has the system's own words.
    case notWritten(Pathname, detail: String)
    /// The record of this output is unreadable.
    case unreadable(Pathname, detail: String)
    /// The next run would take what is written there for recordings.
    case amongRecordings(Pathname)
}
