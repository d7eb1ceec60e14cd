import Dispatch

/// Where commands are carried out, but for manifests, which have a queue of their own.
///
/// None of them limits anything: how many passes run at once is decided in the state.
struct WorkQueues: Sendable {
    let scanning = DispatchQueue(label: "tapedeck.scanning")
    /// One for each pass: a concurrent queue runs no more at once than there are cores, though what
    /// runs waits for a disk or a share.
    var sound: DispatchQueue { DispatchQueue(label: "tapedeck.sound") }
    /// Serial: what is discarded is gone before the run ends, what is recorded was synced.
    let keeping = DispatchQueue(label: "tapedeck.keeping")
}
