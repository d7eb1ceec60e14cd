import Jobs
import Recordings

/// A program that writes a file, some bytes at a time.
struct SimulatedWriter: Sendable {
    var identity: UInt64
    var writesLeft: Int
    /// Whether the file's header promises more than is there until all of it is.
    var promisesMore: Bool
    /// Whether the rest never comes.
    var breaksOff: Bool
}

// What others do to the tree while it is watched, and what the system tells of it.

extension SimulatedWorld {
    /// Nanoseconds of the clock that stamps files, a later time for each change.
    private mutating func newStamp() -> FileStamp {
        stamps += 1
        return FileStamp(
            bytes: 1_000 + stamps, modifiedNanoseconds: Int64(seconds * 1e9) + stamps)
    }

    mutating func tell(_ kind: FileEvent.Kind, _ name: Pathname, in folder: Pathname) {
        guard let identity = sources.folderIdentities[folder] else { return }
        let isLost = random.chance(percent: plan.watching.lossPercent)
        if isLost { happened(.noticeLost) }
        notices.tell(kind, name, in: identity, isLost: isLost)
    }

    /// Sets a file's contents and takes note of them.
    mutating func put(
        _ name: Pathname, in folder: Pathname, identity: UInt64, isOpen: Bool, isWhole: Bool
    ) {
        let stamp = newStamp()
        let sound = Int.random(in: 0..<12, using: &random)
        sources.recordings[folder, default: [:]][name] = SimulatedSources.Source(
            stamp: stamp, sound: sound, identity: identity, isOpen: isOpen, isWhole: isWhole)
        sounds[stamp] = sound
    }

    /// One change, of whatever kind.
    mutating func changeSomething() {
        if sources.mount != .there { return mount() }
        let folder = random.pick(sources.folders)
        let name = random.pick(SimulatedSources.names)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: beginWriting(name, in: folder)
        case 30..<40: moveIn(name, to: folder)
        case 40..<48: touch()
        case 48..<62: deleteFile()
        case 62..<72: renameFile(to: name, in: folder)
        case 72..<76: replaceFile(by: name, in: folder)
        case 76..<82: makeFolder(in: folder)
        case 82..<87: removeFolder()
        case 87..<93: renameFolder(into: folder)
        case 93..<97 where !sources.volume(of: "").isBare: unmount()
        default: deleteFile()
        }
    }

    /// Somebody writes a recording anew while it is read.
    mutating func overwrite(_ name: Pathname, in folder: Pathname) {
        beginWriting(name, in: folder)
    }

    private mutating func beginWriting(_ name: Pathname, in folder: Pathname) {
        guard !sources.isFolder(name, in: folder) else { return }
        let old = sources.recordings[folder]?[name]
        guard old?.isOpen != true else { return }
        happened(old == nil ? .fileMade : .fileOverwritten)
        let identity = old?.identity ?? sources.newIdentity()
        let promisesMore = random.chance(percent: 40)
        put(name, in: folder, identity: identity, isOpen: true, isWhole: !promisesMore)
        if old == nil { tell(.changed, name, in: folder) }
        writers.append(
            SimulatedWriter(
                identity: identity, writesLeft: Int.random(in: 0...3, using: &random),
                promisesMore: promisesMore, breaksOff: random.chance(percent: 10)))
    }

    /// Somebody goes on writing, or closes the file.
    mutating func writeOn() {
        guard sources.mount == .there else { return }
        let index = Int.random(in: writers.indices, using: &random)
        var writer = writers[index]
        guard let place = sources.place(of: writer.identity),
            let source = sources.recordings[place.folder]?[place.name], source.isOpen
        else {
            writers.remove(at: index)
            return
        }
        writer.writesLeft -= 1
        if writer.writesLeft >= 0 {
            let isWhole = !writer.promisesMore || (writer.writesLeft == 0 && !writer.breaksOff)
            put(
                place.name, in: place.folder, identity: writer.identity, isOpen: true,
                isWhole: isWhole)
            writers[index] = writer
            return
        }
        writers.remove(at: index)
        let isWhole = !(writer.promisesMore && writer.breaksOff)
        if !isWhole { happened(.brokenOff) }
        sources.recordings[place.folder]?[place.name]?.isWhole = isWhole
        if isWhole != source.isWhole {
            put(
                place.name, in: place.folder, identity: writer.identity, isOpen: false,
                isWhole: isWhole)
        }
        sources.recordings[place.folder]?[place.name]?.isOpen = false
        tell(.written, place.name, in: place.folder)
    }

    private mutating func moveIn(_ name: Pathname, to folder: Pathname) {
        guard !sources.isFolder(name, in: folder) else { return }
        happened(.fileMovedIn)
        put(
            name, in: folder, identity: sources.newIdentity(), isOpen: false, isWhole: true)
        tell(.written, name, in: folder)
    }

    private mutating func touch() {
        guard let (folder, name) = sources.all.randomElement(using: &random),
            let source = sources[folder, name]
        else { return }
        happened(.fileTouched)
        var stamp = newStamp()
        stamp.bytes = source.stamp.bytes
        sources.recordings[folder]?[name]?.stamp = stamp
        sounds[stamp] = source.sound
        tell(.changed, name, in: folder)
    }

    private mutating func deleteFile() {
        guard let (folder, name) = sources.all.randomElement(using: &random) else { return }
        happened(.fileDeleted)
        sources.recordings[folder]?[name] = nil
        tell(.changed, name, in: folder)
    }

    /// Moves a file as programs do from one disk to another: what comes is another file, with the
    /// same bytes.
    private mutating func replaceFile(by newName: Pathname, in newFolder: Pathname) {
        guard let (folder, name) = sources.all.randomElement(using: &random),
            var source = sources[folder, name], !source.isOpen,
            (newFolder, newName) != (folder, name), !sources.isFolder(newName, in: newFolder)
        else { return }
        happened(.fileReplaced)
        if random.chance(percent: 70) {
            var stamp = newStamp()
            stamp.bytes = source.stamp.bytes
            source.stamp = stamp
            sounds[stamp] = source.sound
        }
        source.identity = sources.newIdentity()
        sources.recordings[folder]?[name] = nil
        sources.recordings[newFolder, default: [:]][newName] = source
        tell(.changed, name, in: folder)
        tell(.written, newName, in: newFolder)
    }

    private mutating func renameFile(to newName: Pathname, in newFolder: Pathname) {
        guard let (folder, name) = sources.all.randomElement(using: &random),
            let source = sources[folder, name]
        else { return }
        let target = random.chance(percent: 50) ? folder : newFolder
        guard (target, newName) != (folder, name), !sources.isFolder(newName, in: target)
        else { return }
        happened(.fileRenamed)
        sources.recordings[folder]?[name] = nil
        sources.recordings[target, default: [:]][newName] = source
        tell(.changed, name, in: folder)
        tell(.written, newName, in: target)
    }
}

extension SimulatedWorld {
    /// Sees to it that nobody can take the whole tree for one whose disk is not there.
    mutating func standFirm() {
        if sources.mount == .there, sources.volume(of: "").isBare { moveIn("a.wav", to: "") }
    }

    /// Whether all is to be made of a recording of which it was made in another place.
    func isDoneElsewhere(_ order: ListeningOrder) -> Bool {
        guard order.stages.isSuperset(of: .listening.subtracting(.checksum)),
            let place = donePlaces[order.source.stamp]
        else { return false }
        return place.folder != order.source.folder || place.name != order.source.name
    }

    /// What is wrong with what became of a recording while it was watched.
    func violation(of entry: ManifestEntry) -> String? {
        guard entry.status == .done, let stamp = entry.source, let sound = sounds[stamp],
            let waveform = entry.waveforms?.first ?? entry.trimmed?.waveforms?.first,
            !waveform.sha256.hasPrefix("w\(sound).")
        else { return nil }
        return "\(entry.name) is done, and what was made of it is not what was there"
    }
}
