import Dispatch

/// Where commands are carried out, but for manifests, which have a queue of their own.
///
/// None of them limits anything: how many passes run at once is decided in the state.
struct WorkQueues: Sendable {
    let scanning = DispatchQueue(label: "tapedeck.scanning")
    let sound = DispatchQueue(label: "tapedeck.sound", attributes: .concurrent)
    /// Serial: what is discarded is gone before the run ends, what is recorded was synced.
    let keeping = DispatchQueue(label: "tapedeck.keeping")
}
