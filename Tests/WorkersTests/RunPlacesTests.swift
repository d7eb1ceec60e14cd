import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct RunPlacesTests {
    private let world = TestWorld()
    /// The root without links, in case the temporary folder is reached through one.
    private let root: Pathname

    init() throws {
        root = try FileSystem.resolve(world.root)
        for name in ["A/b.wav", "A/x/c.wav", "B/d.wav"] as [Pathname] { world.add(name) }
    }

    private func resolve(
        _ names: Pathname..., output: Pathname? = nil
    ) throws(RunRefusal) -> RunPlaces {
        try RunPlaces.resolve(paths: names.map { world.root.appending($0) }, output: output)
    }

    /// The refusal of a run, which must leave everything as it was.
    private func refusal(_ names: Pathname..., output: Pathname? = nil) -> RunRefusal? {
        let before = TestWorld.tree(world.folder.path)
        defer { #expect(TestWorld.tree(world.folder.path) == before) }
        return #expect(throws: RunRefusal.self) {
            try RunPlaces.resolve(paths: names.map { world.root.appending($0) }, output: output)
        }
    }

    /// Services and containers run in `/`.
    @Test func pathsAreShownRelativeToTheWorkingFolderUnlessItIsTheTop() {
        #expect(RunPlaces.shown(root.appending("A"), from: root) == "A")
        #expect(RunPlaces.shown(root, from: root.appending("A")) == root)
        #expect(RunPlaces.shown(root, from: "/") == root)
    }

    @Test func singleFolderIsItsOwnRoot() throws {
        let places = try resolve("A")
        #expect(places.root == root.appending("A"))
        #expect(places.output == root.appending("A/tapedeck"))
        #expect(places.targets == [.folder(.empty)])
        #expect(TestWorld.tree(root) == ["A", "A/b.wav", "A/x", "A/x/c.wav", "B", "B/d.wav"])
    }

    @Test func rootIsDeepestCommonFolder() throws {
        let places = try resolve("A/x", "B", "A/b.wav")
        #expect(places.root == root)
        #expect(
            places.targets == [
                .folder("A/x"), .folder("B"), .recording(folder: "A", name: "b.wav"),
            ])
    }

    @Test func rootOfSingleRecordingIsItsFolder() throws {
        let places = try resolve("A/x/c.wav")
        #expect(places.root == root.appending("A/x"))
        #expect(places.targets == [.recording(folder: .empty, name: "c.wav")])
    }

    @Test func rootOfNestedFoldersIsTheOuterOne() throws {
        #expect(try resolve("A/x", "A").root == root.appending("A"))
        #expect(try resolve("A", "A/../A/./x/").targets == [.folder(.empty), .folder("x")])
    }

    @Test func folderSymlinksAreResolvedAndFileSymlinksKept() throws {
        TestWorld.link(root.appending("L"), to: "A/x")
        TestWorld.link(root.appending("A/l.wav"), to: "x/c.wav")
        #expect(try resolve("L").root == root.appending("A/x"))
        #expect(
            try resolve("A/l.wav").targets == [.recording(folder: .empty, name: "l.wav")])
    }

    @Test func nonUTF8BytesInPathsAreKept() throws {
        let name = Pathname(bytes: [0xFF, 0x2E])
        world.add(name.appending("a.wav"))
        #expect(try resolve(name).root == root.appending(name))
    }

    @Test func outputPathIsAbsoluteWithoutSymlinks() throws {
        TestWorld.link(root.appending("L"), to: "B")
        let output = world.root.appending("L/new/deeper")
        #expect(try resolve("A", output: output).output == root.appending("B/new/deeper"))
        let working = try FileSystem.resolve(".")
        #expect(
            try resolve("A", output: "no such folder").output
                == working.appending("no such folder"))
    }

    @Test func earlierOutputInsideSourceIsAccepted() throws {
        let output = world.root.appending("A/out")
        OutputFolder.makeMarked(output)
        world.add("A/out/b.wav")
        #expect(try resolve("A", output: output).output == root.appending("A/out"))
    }

}

// MARK: - Refusals

extension RunPlacesTests {
    @Test func missingPathIsRefused() {
        #expect(refusal("no") == .pathMissing(world.root.appending("no")))
        #expect(refusal("A", "A/no.wav") == .pathMissing(world.root.appending("A/no.wav")))
        #expect(refusal("A/b.wav/") == .pathMissing(world.root.appending("A/b.wav/")))
        TestWorld.link(world.root.appending("dangling.wav"), to: "no")
        #expect(refusal("dangling.wav") == .pathMissing(world.root.appending("dangling.wav")))
    }

    @Test func symlinkLoopIsRefusedAsUnreadable() {
        TestWorld.link(world.root.appending("loop"), to: "loop")
        #expect(
            refusal("loop")
                == .pathUnreadable(
                    world.root.appending("loop"), detail: String(cString: strerror(ELOOP))))
    }

    @Test func outputFolderAsSourceIsRefused() throws {
        OutputFolder.makeMarked(root.appending("A/tapedeck"))
        world.add("A/tapedeck/x/b.wav")
        let refusals = [
            refusal("A/tapedeck"), refusal("A/tapedeck/x"), refusal("A/tapedeck/x/b.wav"),
        ]
        #expect(refusals.allSatisfy { $0 == .pathIsOutput(root.appending("A/tapedeck")) })
    }

    @Test func outputEqualToSourceIsRefused() {
        #expect(
            refusal("A", output: world.root.appending("A"))
                == .outputIsSource(root.appending("A")))
        #expect(
            refusal("A/b.wav", output: world.root.appending("A"))
                == .outputIsSource(root.appending("A")))
    }

    @Test func outputContainingSourceIsRefused() {
        #expect(
            refusal("A/x", output: world.root.appending("A"))
                == .outputHoldsSources(
                    output: root.appending("A"), source: root.appending("A/x")))
    }

    @Test func defaultOutputWithOwnRecordingsIsRefused() {
        world.add("A/tapedeck/deep/own.wav")
        #expect(
            refusal("A")
                == .outputHoldsFiles(
                    output: root.appending("A/tapedeck"),
                    file: root.appending("A/tapedeck/deep/own.wav")))
    }

    @Test func givenOutputWithOwnRecordingsIsRefused() {
        #expect(
            refusal("A", output: world.root.appending("B"))
                == .outputHoldsFiles(
                    output: root.appending("B"), file: root.appending("B/d.wav")))
        #expect(
            refusal("A/b.wav", output: world.root.appending("A/x"))
                == .outputHoldsFiles(
                    output: root.appending("A/x"), file: root.appending("A/x/c.wav")))
    }

    @Test func outputOfAnotherFolderIsRefused() {
        let output = world.folder.path("out")
        OutputFolder.makeMarked(output, root: root.appending("A"))
        #expect(
            refusal("B", output: output)
                == .outputOfOthers(
                    output: root.parent.appending("out"), root: root.appending("A")))
        #expect(throws: Never.self) { try resolve("A/b.wav", output: output) }
    }

    @Test func outputInsideAnotherOutputIsRefused() {
        let output = world.folder.path("out")
        OutputFolder.makeMarked(output, root: root)
        world.makeFolder(output.appending("A"))
        let marked = root.parent.appending("out")
        for name in ["A", "new", "A/new"] as [Pathname] {
            #expect(
                refusal("A", output: output.appending(name))
                    == .outputInOutput(marked.appending(name), of: marked))
        }
    }

    @Test func outputThatIsAFileIsRefused() {
        #expect(
            refusal("A", output: world.root.appending("B/d.wav"))
                == .outputNotAFolder(root.appending("B/d.wav")))
        let below = world.root.appending("B/d.wav/below")
        #expect(refusal("A", output: below) == .outputNotAFolder(below))
    }

    @Test func outputPathThroughMissingFolderIsRefused() {
        let output = world.root.appending("no/../out")
        #expect(
            refusal("A", output: output)
                == .outputNotMade(
                    world.root.appending("no/.."), detail: String(cString: strerror(ENOENT))))
    }
}
