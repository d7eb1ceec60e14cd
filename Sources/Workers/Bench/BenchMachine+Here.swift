import Glibc
import Recordings
import ReducerKit

extension BenchMachine {
    /// This machine, and how this program was built.
    static var here: BenchMachine {
        var names = utsname()
        uname(&names)
        let system = text(of: names.sysname), kind = text(of: names.machine)
        return BenchMachine(
            processor: processor ?? kind, cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
            system: "\(system) \(kind)", isOptimized: !holdsAsserts)
    }

    /// As the system names it; `nil` where it does not.
    private static var processor: String? {
        guard let bytes = try? FileSystem.contents(of: "/proc/cpuinfo") else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("model name") }
        let value = line?.split(separator: ":", maxSplits: 1).dropFirst().first
        return value.map { $0.drop { $0 == " " } }.map(String.init)
    }

    /// The characters of a fixed field, up to its zero.
    private static func text<Field>(of field: Field) -> String {
        withUnsafeBytes(of: field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
