import CTOML
import Glibc
import Recordings

/// A settings file as typed (TOML): keys with their values and lines.
package struct SettingsDocument: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case text(String)
        /// The shortest decimal digits of an integer or a float.
        case number(String)
        case boolean(Bool)
        case list([Value])
        /// A date, a table or list within a list, or a table too deep: nothing that a setting could
        /// be.
        case other
    }

    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: Value
        /// From 1.
        package var line: Int
    }

    /// A table, such as `[folder.calls]`.
    package struct Table: Hashable, Sendable {
        /// Empty for the keys before the first table.
        package var path: [String]
        package var line: Int
        /// By line.
        package var entries: [Entry] = []
    }

    package struct Fault: Error, Hashable {
        /// From 1; `nil` if it is about the file as a whole.
        package var line: Int?
        package var sentence: String

        package init(line: Int?, _ sentence: String) {
            (self.line, self.sentence) = (line, sentence)
        }
    }

    /// By path.
    package private(set) var tables: [Table] = []

    /// More than anybody writes, and too little for nesting that exhausts the stack.
    package static let mostBytes = 1 << 16

    /// - Returns: `nil` if there is no such file.
    package init?(reading path: Pathname) throws(Fault) {
        let contents: [UInt8]?
        do throws(FileSystemError) {
            contents = try FileSystem.contents(of: path, atMost: SettingsDocument.mostBytes)
        } catch {
            if error.code == ENOENT { return nil }
            throw Fault(line: nil, "it cannot be read: \(error.detail)")
        }
        guard let contents else {
            throw Fault(
                line: nil, "it is larger than 64 KB, and so hardly a settings file")
        }
        try self.init(contents)
    }

    package init(_ text: String) throws(Fault) { try self.init(Array(text.utf8)) }

    private init(_ bytes: [UInt8]) throws(Fault) {
        var reading = Reading()
        var message = [CChar](repeating: 0, count: 200)
        // Proof: the pointers are valid for this call, which keeps none; the context is the only
        // access to `reading` meanwhile.
        let line = withUnsafeMutablePointer(to: &reading) { context in
            bytes.withUnsafeBytes { document in
                message.withUnsafeMutableBufferPointer { message in
                    ctoml_read(
                        document.baseAddress, document.count, context,
                        { context, event in
                            guard let context, let event else { return }
                            let (key, text) = (
                                SettingsDocument.text(event.pointee.key, event.pointee.key_bytes),
                                SettingsDocument.text(event.pointee.text, event.pointee.text_bytes)
                            )
                            context.assumingMemoryBound(to: Reading.self).pointee.take(
                                event.pointee.kind, key, text, line: Int(event.pointee.line))
                        }, message.baseAddress, message.count)
                }
            }
        }
        guard line == 0 else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let words = String(decoding: text, as: UTF8.self)
            let hint = words.contains("value") ? "; a text is to be in quotes" : ""
            throw Fault(line: Int(line), words + hint)
        }
        tables = reading.tables.map { table in
            var table = table
            table.entries.sort { $0.line < $1.line }
            return table
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ bytes: Int) -> String {
        String(
            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : bytes),
            as: UTF8.self)
    }
}

extension SettingsDocument {
    /// The length and time of a file; `nil` if there is none.
    package static func stamp(of path: Pathname) -> FileStamp? {
        try? FileSystem.status(path).stamp
    }

    /// Writes a new file; throws `EEXIST` if there is anything of this name.
    package static func write(_ text: String, to path: Pathname) throws(FileSystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = path.withCString { open($0, flags, 0o666) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        defer { close(descriptor) }
        try FileSystem.write(Array(text.utf8), to: descriptor, of: path)
    }
}

/// What is known of a document while it is read.
private struct Reading {
    var tables = [SettingsDocument.Table(path: [], line: 1)]
    /// The places in `tables` of those that have begun.
    private var open = [0]
    /// The elements of the list that has begun.
    private var list: [SettingsDocument.Value]?

    mutating func take(_ kind: ctoml_kind, _ key: String, _ text: String, line: Int) {
        switch kind {
        case ctoml_table:
            let path = tables[open[open.count - 1]].path + [key]
            open.append(tables.count)
            tables.append(SettingsDocument.Table(path: path, line: line))
        case ctoml_array: list = []
        case ctoml_end:
            guard let values = list else {
                open.removeLast()
                return
            }
            list = nil
            put(.list(values), key, line)
        case ctoml_string: put(.text(text), key, line)
        case ctoml_number: put(.number(text), key, line)
        case ctoml_boolean: put(.boolean(text == "true"), key, line)
        default: put(.other, key, line)
        }
    }

    private mutating func put(_ value: SettingsDocument.Value, _ key: String, _ line: Int) {
        guard list == nil else {
            list?.append(value)
            return
        }
        tables[open[open.count - 1]].entries.append(
            SettingsDocument.Entry(key: key, value: value, line: line))
    }
}
