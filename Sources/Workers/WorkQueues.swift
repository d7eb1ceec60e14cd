import Dispatch

/// Where commands are carried out.
///
/// None of them limits anything: how many passes run at once is decided in the state.
struct WorkQueues: Sendable {
    let scanning = DispatchQueue(label: "tapedeck.scanning")
    let sound = DispatchQueue(label: "tapedeck.sound", attributes: .concurrent)
    let manifests = DispatchQueue(label: "tapedeck.manifests")
}
