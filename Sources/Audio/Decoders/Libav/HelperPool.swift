import DecoderMessages
import Glibc
import Recordings
import Synchronization

/// The decoder helpers of this process that are not decoding.
///
/// A helper is started when none is idle, so there are as many as threads that decode with libav at
/// once. They live as long as the process.
enum HelperPool {
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

    /// Opens a file with an idle helper, or with a new one if there is none, or if it has died
    /// while idle.
    static func open(
        _ request: DecoderRequest, descriptor: Int32
    ) throws(HelperError) -> (HelperProcess, DecoderReply) {
        while let helper = idle.withLock({ $0.popLast() }) {
            do throws(HelperError) {
                return (helper, try helper.ask(request, descriptor: descriptor))
            } catch .died {
                continue
            }
        }
        guard let program else { throw .notBuilt }
        let helper = try HelperProcess(starting: program)
        return (helper, try helper.ask(request, descriptor: descriptor))
    }

    /// Takes back a helper and has it close its file; one that is broken is ended.
    static func giveBack(_ helper: HelperProcess) {
        guard !helper.isBroken, (try? helper.ask(DecoderRequest(.close))) != nil else { return }
        idle.withLock { $0.append(helper) }
    }
}
