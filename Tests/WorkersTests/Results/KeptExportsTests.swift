import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct KeptExportsTests {
    private let world = TestWorld()

    private func kept(isWhole: Bool = true) -> KeptExports {
        KeptExports("report", in: world.output, world.ownership, world.record, isWhole: isWhole)
    }

    private var files: [Pathname] { TestWorld.tree(world.output) }

    @Test func whatIsAddedMeanwhileStaysUntilTheNextTime() throws {
        let whole = kept()
        let adding = kept(isWhole: false)
        try adding.write([1], at: "A/one.wav.report.js")
        try adding.publish()
        try whole.write([2], at: "index.html")
        try whole.finish()
        #expect(files == ["A", "A/one.wav.report.js", "index.html"])
        let next = kept()
        try next.write([2], at: "index.html")
        try next.finish()
        #expect(files == ["index.html"])
    }

    @Test func fileThatBeginsAsItShouldIsKept() throws {
        try kept().write([1, 2, 3], at: "a.js")
        let first = kept()
        try first.write([1, 2, 3], at: "a.js")
        try first.finish()
        let next = kept()
        #expect(try next.begins(with: [1, 2], at: "a.js"))
        #expect(try !next.begins(with: [1, 3], at: "a.js"))
        #expect(try !next.begins(with: [1, 2], at: "b.js"))
        try next.finish()
        #expect(files == ["a.js"])
        // Somebody else's file does not count, whatever it begins with.
        world.folder.write([1, 2, 3, 4], to: "output/a.js")
        #expect(try !kept().begins(with: [1, 2], at: "a.js"))
    }
}
