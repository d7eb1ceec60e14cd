import CLibraryOutput
import DecoderMessages
import Glibc
import Recordings
import Synchronization

/// The decoder helpers of this process that are not decoding.
///
/// A helper is started when none is idle, so there are as many as threads that decode in one at
/// once. They live as long as the process.
package enum HelperPool {
    private static let idle = Mutex<[HelperProcess]>([])

    /// The helper's program, beside this one; `nil` if it is not there.
    static let program: Pathname? = {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { return nil }
        let own = Pathname(bytes: bytes.prefix(count).map { UInt8(bitPattern: $0) })
        let path = own.parent.appending("tapedeck-decoder")
        return path.withCString { access($0, X_OK) } == 0 ? path : nil
    }()

    /// Whether all recordings are decoded by helpers; set once, before the first.
    package static var decodesAll: Bool {
        get { policy.withLock { $0.decodesAll } }
        set { policy.withLock { $0.decodesAll = newValue } }
    }

    /// What decodes with libav in this process, which is a helper itself.
    package static var local: (any HelperLink)? {
        get { policy.withLock { $0.local } }
        set { policy.withLock { $0.local = newValue } }
    }

    private struct Policy: Sendable {
        var decodesAll = false
        var local: (any HelperLink)?
    }
    private static let policy = Mutex(Policy())

    /// Opens a file with an idle helper, or with a new one if there is none, or if it has died
    /// while idle.
    static func open(
        _ request: DecoderRequest, descriptor: Int32, text: String = ""
    ) throws(HelperError) -> (any HelperLink, DecoderReply) {
        if let local { return (local, try local.ask(request, descriptor: descriptor)) }
        while let helper = idle.withLock({ $0.popLast() }) {
            do throws(HelperError) {
                return (helper, try helper.ask(request, descriptor: descriptor, text: text))
            } catch .died {
                continue
            }
        }
        let helper = try start()
        return (helper, try helper.ask(request, descriptor: descriptor, text: text))
    }

    private static func start() throws(HelperError) -> HelperProcess {
        guard let program else { throw .notBuilt }
        return try HelperProcess(starting: program)
    }

    /// What a helper has against files that it decodes; starts one if none is idle.
    package static func cage() throws(HelperError) -> DecoderReply.Cage {
        if let cage = idle.withLock({ $0.last?.cage }) { return cage }
        let helper = try start()
        idle.withLock { $0.append(helper) }
        return helper.cage
    }

    /// Takes back a helper and has it close its file; one that is broken is ended.
    static func giveBack(_ helper: any HelperLink) {
        guard !helper.isBroken, (try? helper.ask(DecoderRequest(.close))) != nil else { return }
        if let process = helper as? HelperProcess { idle.withLock { $0.append(process) } }
    }

    /// Prints on this thread what a library has printed in a helper.
    static func repeatPrinted(_ text: String) {
        if !text.isEmpty { library_output_print(text + "\n") }
    }
}

/// What carries out requests of this process: a helper, or the part of a helper that has libav.
package protocol HelperLink: AnyObject, Sendable {
    /// `DecoderHelperLayout.memoryBytes` long.
    var memory: UnsafeMutableRawPointer { get }
    var isBroken: Bool { get }

    func ask(
        _ request: DecoderRequest, descriptor: Int32
    ) throws(HelperError) -> DecoderReply
    /// Notes that a reply makes no sense.
    func distrust() -> HelperError
}

extension HelperLink {
    func ask(_ request: DecoderRequest) throws(HelperError) -> DecoderReply {
        try ask(request, descriptor: -1)
    }

    /// The strings that came with a reply, at a place of the memory.
    func texts(of reply: DecoderReply, from start: Int = 0) throws(HelperError) -> [String] {
        guard (0...Int64(DecoderHelperLayout.mostTextBytes)).contains(reply.textBytes) else {
            throw distrust()
        }
        return [String].texts(
            of: UnsafeRawBufferPointer(start: memory + start, count: Int(reply.textBytes)))
    }

    /// The bytes that came with a reply.
    func bytes(of reply: DecoderReply) throws(HelperError) -> [UInt8] {
        guard (0...Int64(DecoderHelperLayout.memoryBytes)).contains(reply.textBytes) else {
            throw distrust()
        }
        return Array(UnsafeRawBufferPointer(start: memory, count: Int(reply.textBytes)))
    }
}
