import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct FolderWatcherTests {
    private let folder = TestFolder()
    private let listener = WatchListener()
    private var watcher: FolderWatcher { listener.watcher }

    init() {
        make("in")
        watch("in")
    }

    private func make(_ name: Pathname) {
        #expect(folder.path(name).withCString { mkdir($0, 0o755) } == 0)
    }

    private func watch(_ name: Pathname) {
        #expect(watcher.watch(name, at: folder.path(name)) == .watched)
    }

    private func rename(_ old: Pathname, to new: Pathname) {
        #expect(throws: Never.self) {
            try FileSystem.rename(folder.path(old), to: folder.path(new))
        }
    }

    private func remove(_ name: Pathname) {
        #expect(throws: Never.self) { try FileSystem.remove(folder.path(name)) }
    }

    private func changed(_ name: Pathname?, in folder: Pathname = "in") -> FileEvent {
        FileEvent(folder: folder, name: name, kind: .changed)
    }

    private func written(_ name: Pathname, in folder: Pathname = "in") -> FileEvent {
        FileEvent(folder: folder, name: name, kind: .written)
    }

    /// What is told of a folder that has come.
    private func made(_ name: Pathname, in folder: Pathname = "in") -> FileEvent {
        written(name, in: folder)
    }

    // MARK: Files

    @Test func fileIsReportedAsWrittenWhenClosed() {
        let notices = listener.notices(awaiting: written("b.wav")) {
            folder.write([1, 2, 3], to: "in/b.wav")
        }
        #expect(notices == [changed("b.wav"), written("b.wav")])
    }

    @Test func fileIsNotReportedWhileBeingWritten() throws {
        let file = try #require(fopen(folder.path("in/b.wav").text, "wb"))
        #expect(listener.notices() == [changed("b.wav")])
        let notices = listener.notices {
            for _ in 0..<100 {
                fwrite([1, 2, 3], 1, 3, file)
                fflush(file)
            }
        }
        #expect(notices.isEmpty)
        #expect(
            listener.notices(awaiting: written("b.wav")) { fclose(file) } == [
                written("b.wav")
            ])
    }

    @Test func movedInFilesAreReportedAsWritten() {
        folder.write([1], to: "b.wav")
        make("album")
        let notices = listener.notices {
            rename("b.wav", to: "in/b.wav")
            rename("album", to: "in/album")
        }
        #expect(notices == [written("b.wav"), made("album")])
    }

    @Test func movedOutOrDeletedFilesAreReported() {
        for name in ["a.wav", "b.wav"] { folder.write([1], to: Pathname("in/\(name)")) }
        make("in/album")
        _ = listener.notices(awaiting: written("a.wav"), written("b.wav"))
        let notices = listener.notices {
            rename("in/b.wav", to: "b.wav")
            remove("in/a.wav")
            rename("in/album", to: "album")
        }
        #expect(notices == [changed("b.wav"), changed("a.wav"), changed("album")])
    }

    @Test func renamedFileIsReportedUnderBothNames() {
        folder.write([1], to: "in/b.wav")
        _ = listener.notices(awaiting: written("b.wav"))
        let notices = listener.notices { rename("in/b.wav", to: "in/c.wav") }
        #expect(notices == [changed("b.wav"), written("c.wav")])
    }

    @Test func newHardLinkIsReported() {
        let path = folder.write([1], to: "b.wav")
        let notices = listener.notices {
            _ = path.withCString { old in
                folder.path("in/b.wav").withCString { link(old, $0) }
            }
        }
        #expect(notices == [changed("b.wav")])
    }

    @Test func permissionAndTimestampChangesAreReported() {
        let path = folder.write([1], to: "in/b.wav")
        _ = listener.notices(awaiting: written("b.wav"))
        #expect(listener.notices { chmod(path.text, 0o600) } == [changed("b.wav")])
        let notices = listener.notices { utimes(path.text, nil) }
        #expect(notices == [changed("b.wav")])
    }

    @Test func hiddenFilesAreReported() {
        // Somebody may have asked for one; who did not passes over it.
        let notices = listener.notices(awaiting: written("b.wav")) {
            folder.write([1], to: "in/.b.wav.Ab12Cd")
            rename("in/.b.wav.Ab12Cd", to: "in/b.wav")
        }
        #expect(notices.contains(written(".b.wav.Ab12Cd")))
        #expect(notices.last == written("b.wav"))
    }

    @Test func nonUTF8NamesAreDistinguished() {
        let names = [0xFE, 0xFF].map { Pathname(bytes: [0x61, $0] + Array(".wav".utf8)) }
        make(Pathname("in").appending(names[0]))
        let place = Pathname("in").appending(names[0])
        watch(place)
        let awaited = [written(names[1]), written(names[1], in: place)]
        let notices = listener.notices(awaiting: awaited[0], awaited[1]) {
            folder.write([1], to: Pathname("in").appending(names[1]))
            folder.write([1], to: place.appending(names[1]))
        }
        #expect(
            Set(notices)
                == Set(awaited).union([
                    made(names[0]), changed(names[1]), changed(names[1], in: place),
                ]))
    }

    // MARK: Folders

    @Test func newSubfolderIsReported() {
        #expect(listener.notices { make("in/album") } == [written("album")])
    }

    @Test func subfolderPermissionChangeIsReportedForBothFolders() {
        make("in/album")
        _ = listener.notices()
        let notices = listener.notices { chmod(folder.path("in/album").text, 0o700) }
        #expect(notices == [changed("album"), changed(nil, in: "in/album")])
    }

    @Test func permissionChangeOfWatchedFolderIsReported() {
        #expect(listener.notices { chmod(folder.path("in").text, 0o700) } == [changed(nil)])
    }

    @Test func deletedFolderIsReportedAndRecreatedOneWatched() {
        let gone = FileEvent(folder: "in", kind: .gone)
        #expect(listener.notices { rmdir(folder.path("in").text) } == [gone])
        make("in")
        watch("in")
        #expect(listener.notices { make("in/album") } == [written("album")])
    }

    @Test func renamedFolderIsWatchedUnderNewName() {
        let gone = FileEvent(folder: "in", kind: .gone)
        #expect(listener.notices { rename("in", to: "new") } == [gone])
        watch("new")
        watcher.forget("in")
        let notices = listener.notices { make("new/album") }
        #expect(notices == [made("album", in: "new")])
    }

    @Test func eventsBeforeRenameHaveOldFolderName() {
        make("in/first")
        rename("in", to: "new")
        watch("new")
        watcher.forget("in")
        make("new/second")
        #expect(
            listener.notices() == [
                made("first"), FileEvent(folder: "in", kind: .gone),
                made("second", in: "new"),
            ])
    }

    @Test func renameIsReportedWithoutFurtherEvents() {
        rename("in", to: "0")
        watch("0")
        let end = listener.start()
        var gone: [FileEvent] = [FileEvent(folder: "in", kind: .gone)]
        // Often, as it may be read by either of two, of which one is mostly the first.
        for number in 0..<200 {
            guard listener.reports(until: { $0.count == gone.count }).count == gone.count else {
                break
            }
            rename(Pathname("\(number)"), to: Pathname("\(number + 1)"))
            watch(Pathname("\(number + 1)"))
            gone.append(FileEvent(folder: Pathname("\(number)"), kind: .gone))
        }
        let reports = listener.reports(until: { $0.count == gone.count })
        end()
        #expect(reports.flatMap(\.notices) == gone)
    }

    @Test func subfolderOfRenamedFolderIsWatchedUnderNewName() {
        make("in/album")
        watch("in/album")
        make("in/album/first")
        rename("in", to: "new")
        watch("new/album")
        watcher.forget("in/album")
        make("new/album/second")
        #expect(
            listener.notices() == [
                made("album"), made("first", in: "in/album"),
                FileEvent(folder: "in", kind: .gone), made("second", in: "new/album"),
            ])
    }

    @Test func folderReplacingRenamedOneIsWatched() {
        rename("in", to: "old")
        make("in")
        watch("in")
        make("old/first")
        make("in/second")
        #expect(listener.notices() == [made("second")])
    }

    @Test func forgottenFolderIsNoLongerReported() {
        make("out")
        watch("out")
        make("in/first")
        watcher.forget("in")
        make("in/second")
        let notices = listener.notices {
            make("in/third")
            make("out/fourth")
        }
        #expect(notices == [made("fourth", in: "out")])
    }

    @Test func folderWatchedTwiceReportsEventsOnce() {
        for _ in 0..<3 { watch("in") }
        #expect(listener.notices { make("in/album") } == [written("album")])
    }
}
