import Foundation
import Recordings
import TestSupport
import Testing

/// Folders that are renamed, moved, removed, unmounted or closed under a run that watches them.
@Suite struct UprootedTests {
    private let library = Library()

    private func watch(_ options: [String] = []) async -> Watch {
        let watch = Watch(library, ["--settle-seconds", "0.4"] + options)
        await watch.begin()
        return watch
    }

    private func path(_ name: Pathname) -> String { library.root.appending(name).text }

    /// Waits until so many were worked on, and all is in manifests.
    private func settle(_ watch: Watch, outcomes: Int) async throws {
        let isDone = await watch.wait {
            watch.listen()
            return watch.events.count(where: \.isOutcome) >= outcomes
        }
        try #require(isDone)
        #expect(await watch.rest())
    }

    private func names(_ watch: Watch, _ folder: Pathname) -> [Pathname: ManifestEntry.Status] {
        let recordings = watch.manifest(folder)?.recordings ?? []
        return Dictionary(uniqueKeysWithValues: recordings.map { ($0.name, $0.status) })
    }

    @Test(arguments: Sense.allCases)
    func outputsMoveWithRenamedFolder(_ sense: Sense) async throws {
        for number in 0..<4 {
            library.addRecording(Pathname("A/inner/\(number).wav"), hertz: 120 + Double(number))
        }
        library.addRecording("A/a.wav")
        let watch = await self.watch(sense.options)
        try await settle(watch, outcomes: 5)
        #expect(rename(path("A"), path("B")) == 0)
        let isMoved = await watch.wait {
            names(watch, "B").count == 1 && names(watch, "B/inner").count == 4
                && watch.listen().isEmpty && watch.events.count { $0.event == "moved" } == 5
        }
        try #require(isMoved)
        // What lands there is seen under the new name.
        library.addRecording("B/inner/new.wav")
        try #require(await watch.wait(for: .done, of: "B/inner/new.wav"))
        #expect(await watch.rest())
        await watch.stop()
        #expect(watch.events.count(where: \.isOutcome) == 6, "moving is not decoding")
        #expect(library.outputs().wherever.differences(from: library.undisturbed()) == [])
    }

    @Test(arguments: [[], ["--prune"]])
    func outputsOfDeletedFolderAreKeptUnlessPruned(options: [String]) async throws {
        library.addRecording("A/inner/a.wav")
        library.addRecording("b.wav")
        let watch = await self.watch(options)
        try await settle(watch, outcomes: 2)
        #expect(Tool.shell("rm -r '\(path("A"))'").status == 0)
        let isKnown = await watch.wait {
            options.isEmpty
                ? names(watch, "A/inner") == ["a.wav": .sourceMissing]
                : Snapshot.status(library.output.appending("A/inner/a.wav.dat")) == nil
        }
        try #require(isKnown)
        // One of the same name is another one.
        library.addRecording("A/inner/c.wav", hertz: 190)
        try #require(await watch.wait(for: .done, of: "A/inner/c.wav"))
        #expect(await watch.rest())
        await watch.stop()
        let kept: [Pathname: ManifestEntry.Status] = ["a.wav": .sourceMissing, "c.wav": .done]
        #expect(names(watch, "A/inner") == (options.isEmpty ? kept : ["c.wav": .done]))
        #expect(watch.events.count(where: \.isOutcome) == 3)
    }

    /// A tree that was away is not done again.
    @Test(arguments: [[], ["--prune"]])
    func treeMovedOutAndBackIsUpToDate(options: [String]) async throws {
        for number in 0..<4 {
            library.addRecording(Pathname("A/inner/\(number).wav"), hertz: 120 + Double(number))
        }
        library.addRecording("b.wav")
        let watch = await self.watch(options)
        try await settle(watch, outcomes: 5)
        let away = library.folder.path("away").text
        #expect(rename(path("A"), away) == 0)
        let isAway = await watch.wait {
            watch.listen()
            return watch.events.count { $0.event == "gone" } >= 4
        }
        try #require(isAway)
        #expect(rename(away, path("A")) == 0)
        library.addRecording("A/inner/new.wav")
        try #require(await watch.wait(for: .done, of: "A/inner/new.wav"))
        let isBack = await watch.wait {
            names(watch, "A/inner").values.allSatisfy { $0 == .done }
                && names(watch, "A/inner").count == 5
        }
        try #require(isBack)
        #expect(await watch.rest())
        await watch.stop()
        if options.isEmpty { #expect(watch.events.count(where: \.isOutcome) == 6) }
        #expect(library.outputs().wherever.differences(from: library.undisturbed()) == [])
    }

    @Test(.enabled(if: Mount.isPossible, Mount.reason), arguments: [[], ["--prune"]])
    func outputsAreKeptWhenDiskIsUnmounted(options: [String]) async throws {
        let results = library.folder.path("results")
        let copy = library.folder.path("copy").text
        let watch = try await mounted {
            library.addRecording("a.wav")
            library.addRecording("A/b.wav")
            #expect(Tool.shell("cp -a '\(library.root.text)' '\(copy)'").status == 0)
            let watch = await self.watch(["--output", results.text] + options)
            try await settle(watch, outcomes: 2)
            return watch
        }
        let before = Snapshot(results, comparingFolderTimes: false)
        // Long enough that whatever is pruned after a while would be.
        let begin = Date.now
        _ = await watch.wait { Date.now.timeIntervalSince(begin) > 12 || !watch.isRunning }
        #expect(Snapshot(results, comparingFolderTimes: false).differences(from: before) == [])
        #expect(watch.isRunning)
        try await mounted {
            #expect(Tool.shell("cp -a '\(copy)/.' '\(library.root.text)'").status == 0)
            library.addRecording("A/new.wav")
            try #require(await watch.wait(for: .done, of: "A/new.wav"))
            await watch.stop()
        }
        #expect(watch.events.count { $0.event == "gone" } == 0)
        #expect(watch.events.count(where: \.isOutcome) == 3)
        #expect(try Manifest.read(results).recordings.map(\.status) == [.done])
        let statuses = try Manifest.read(results.appending("A")).recordings.map(\.status)
        #expect(statuses == [.done, .done])
    }

    /// Has a file system mounted at the root.
    @discardableResult
    private func mounted<Result>(_ body: () async throws -> Result) async throws -> Result {
        let root = library.root.text
        let mount = "mount -t tmpfs -o size=8388608,mode=755 tapedeck-test '\(root)'"
        #expect(Tool.shell(mount).status == 0)
        defer { _ = Tool.shell("umount -l '\(root)'") }
        return try await body()
    }

    /// Another user than the system's own, who may not read everything.
    private static let nobody = ["setpriv", "--reuid=65534", "--clear-groups", "--"]
    private static let canBeNobody =
        getuid() != 0
        || RunningTool(program: "/usr/bin/env", nobody + [Tool.path, "--version"]).wait().status
            == 0

    @Test(
        .enabled(if: canBeNobody, "there is nobody to whom a folder can be closed"),
        arguments: Sense.allCases)
    func unreadableFolderIsProcessedOncePermissionReturns(_ sense: Sense) async throws {
        library.addRecording("A/a.wav")
        library.addRecording("b.wav")
        let isRoot = getuid() == 0
        if isRoot {
            #expect(Tool.shell("chown -R 65534 '\(library.folder.path.text)'").status == 0)
        }
        chmod(path("A"), 0)
        let watch = Watch(
            library, ["--settle-seconds", "0.4"] + sense.options,
            before: isRoot ? UprootedTests.nobody : [])
        await watch.begin()
        try #require(await watch.wait(for: .done, of: "b.wav"))
        #expect(watch.events(of: "A/a.wav").isEmpty)
        chmod(path("A"), 0o755)
        try #require(await watch.wait(for: .done, of: "A/a.wav"))
        chmod(path("A"), 0)
        // What cannot be seen is not gone, and what lands elsewhere is taken.
        library.addRecording("c.wav")
        try #require(await watch.wait(for: .done, of: "c.wav"))
        chmod(path("A"), 0o755)
        library.addRecording("A/d.wav")
        try #require(await watch.wait(for: .done, of: "A/d.wav"))
        #expect(await watch.rest())
        await watch.stop()
        #expect(watch.events.count { $0.event == "gone" } == 0)
        #expect(watch.events.count(where: \.isOutcome) == 4)
    }
}
