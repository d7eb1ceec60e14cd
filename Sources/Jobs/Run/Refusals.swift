import Recordings

/// Why a run, or a look at its results, cannot begin; nothing has been written when it is thrown.
package enum RunRefusal: Error, Hashable, Sendable {
    case pathMissing(Pathname)
    /// `detail` has the system's own words.
    case pathUnreadable(Pathname, detail: String)
    /// The path is, or lies in, a folder that an earlier run wrote.
    case pathIsOutput(Pathname)
    /// The output would be a folder whose recordings are to be read.
    case outputIsSource(Pathname)
    /// The recordings lie inside the output folder.
    case outputHoldsSources(output: Pathname, source: Pathname)
    /// The output exists, and holds recordings or manifests that no run has put there.
    case outputHoldsFiles(output: Pathname, file: Pathname)
    /// Runs for the other output would take what is made there for their own.
    case outputInOutput(Pathname, of: Pathname)
    case outputNotAFolder(Pathname)
    case outputNotMade(Pathname, detail: String)
    /// Something stands under the name of a file of the output's own that is no regular file.
    case outputFileNotRegular(Pathname)
    /// A file of the output's own belongs to another user.
    case outputFileOfAnother(Pathname)
    /// The journal of an earlier run cannot be read; no `detail` where a later version wrote it.
    case journalUnreadable(Pathname, detail: String?)
    /// Another run is writing there; `holder` is its process, where that is known.
    case outputBusy(Pathname, holder: Int32?)
    /// The output holds the results of recordings in another folder, which still exists.
    case outputOfOthers(output: Pathname, root: Pathname)
    /// So few more files may be open at once that not even one recording could be worked on.
    case tooFewOpenFiles(free: Int, needed: Int)
    /// So few more threads can be started that nothing could be worked on.
    case tooFewThreads(free: Int, needed: Int)
    /// The path is no output folder, lies in none, and has none in the default place.
    case noResults(Pathname)
    /// The output does not say where its recordings are, or they are not there any more.
    case recordingsUnknown(output: Pathname)
}

/// Why a picture is not written; what was there stays.
package enum PictureRefusal: Error, Hashable, Sendable {
    /// The file is there and is no picture.
    case holdsSomethingElse(Pathname)
    case notWritten(Pathname, RecordingFailure)
}

/// Why a trace cannot be written or read.
package enum TraceRefusal: Error, Hashable, Sendable {
    /// It would take the place of a file that is no trace.
    case foreign(Pathname)
    /// `detail` has the system's own words.
    case notWritten(Pathname, detail: String)
    case notRead(Pathname, detail: String)
    case notATrace(Pathname)
    /// It is of a format that this version does not know.
    case otherFormat(Pathname, Int)
    /// Lines are counted from 1.
    case damaged(Pathname, line: Int)
}
