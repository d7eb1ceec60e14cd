import Glibc
import Jobs
import Recordings
import Testing

@testable import Workers

@Suite struct WatchTableTests {
    /// An event as the kernel writes it.
    private static func bytes(
        _ watch: Int32, _ mask: Int32, _ name: Pathname? = nil
    ) -> [UInt8] {
        var name = name?.bytes ?? []
        if !name.isEmpty { name += [UInt8](repeating: 0, count: 16 - name.count % 16) }
        return [UInt32(bitPattern: watch), UInt32(mask), 0, UInt32(name.count)]
            .flatMap { number in withUnsafeBytes(of: number, Array.init) } + name
    }

    private static func events(_ bytes: [UInt8]...) -> [InotifyEvent] {
        bytes.flatMap { $0 }.withUnsafeBytes { InotifyEvent.all(in: $0) }
    }

    @Test func consecutiveEventsAreParsed() {
        let long = Pathname(bytes: [UInt8](repeating: 0x61, count: 255))
        let events = WatchTableTests.events(
            WatchTableTests.bytes(1, IN_CREATE, "b.wav"),
            WatchTableTests.bytes(-1, IN_Q_OVERFLOW),
            WatchTableTests.bytes(2, IN_CLOSE_WRITE, long))
        #expect(
            events == [
                InotifyEvent(watch: 1, mask: UInt32(IN_CREATE), name: "b.wav"),
                InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW)),
                InotifyEvent(watch: 2, mask: UInt32(IN_CLOSE_WRITE), name: long),
            ])
    }

    @Test func truncatedEventIsIgnored() {
        let whole = WatchTableTests.bytes(1, IN_CREATE, "b.wav")
        for count in 0..<whole.count {
            let events = WatchTableTests.events(whole, Array(whole[..<count]))
            #expect(events.count == 1, "\(count)")
        }
    }

    private func reports(
        _ table: inout WatchTable, _ events: (Int32, Int32, Pathname?)...
    ) -> (reports: [WatchReport], ended: [Int32]) {
        var ended: [Int32] = []
        let reports = table.reports(
            of: events.map { InotifyEvent(watch: $0, mask: UInt32($1), name: $2) },
            end: { ended.append($0) })
        return (reports, ended)
    }

    private var table: WatchTable {
        var table = WatchTable()
        #expect(table.set(1, for: "in") == nil)
        return table
    }

    @Test func overflowIsReportedAfterOtherEvents() {
        var table = table
        let told = reports(
            &table, (1, IN_DELETE, "b.wav"), (-1, IN_Q_OVERFLOW, nil), (1, IN_CREATE, "c.wav"))
        #expect(
            told.reports == [
                .noticed([
                    FileEvent(folder: "in", name: "b.wav", kind: .changed),
                    FileEvent(folder: "in", name: "c.wav", kind: .changed),
                ]), .overflowed,
            ])
    }

    @Test func repeatedEventIsKeptAtItsLastPosition() {
        var table = table
        let told = reports(
            &table, (1, IN_CLOSE_WRITE, "b.wav"), (1, IN_ATTRIB, "b.wav"),
            (1, IN_CLOSE_WRITE, "b.wav"))
        #expect(
            told.reports == [
                .noticed([
                    FileEvent(folder: "in", name: "b.wav", kind: .changed),
                    FileEvent(folder: "in", name: "b.wav", kind: .written),
                ])
            ])
    }

    @Test func eventsOfUnknownWatchesAreIgnored() {
        var table = table
        #expect(
            reports(&table, (7, IN_CREATE, "b.wav"), (7, IN_MOVE_SELF, nil)).reports.isEmpty)
    }

    @Test func deletedAndMovedFoldersAreDropped() {
        var table = table
        _ = table.set(2, for: "out")
        let told = reports(
            &table, (1, IN_DELETE_SELF, nil), (1, IN_IGNORED, nil), (2, IN_MOVE_SELF, nil))
        #expect(
            told.reports == [
                .noticed([
                    FileEvent(folder: "in", kind: .gone), FileEvent(folder: "out", kind: .gone),
                ])
            ])
        #expect(told.ended == [2])
        #expect(table.count == 0)
    }

    @Test func unmountedFolderIsReported() {
        var table = table
        let told = reports(&table, (1, IN_UNMOUNT, nil), (1, IN_IGNORED, nil))
        #expect(told.reports == [.noticed([FileEvent(folder: "in", kind: .unmounted)])])
        #expect(table.count == 0)
    }

    @Test func renamedFolderKeepsItsWatch() {
        var table = table
        #expect(table.set(1, for: "new") == nil)
        #expect(table.remove("in") == nil)
        #expect(table.folder(of: 1) == "new")
        #expect(table.set(2, for: "new") == 1)
        #expect(table.folder(of: 1) == nil)
        #expect(table.remove("new") == 2)
        #expect(table.count == 0)
    }
}
