extension ManifestEntry {
    /// All fields except the name, packed; `nil` if a rarely used field is set.
    package var packed: [UInt8]? {
        guard failure == nil, recipe == nil, leftBehind != nil || earlier == nil,
            decoderMessage == nil, warnings == nil, levels?.nonFiniteSamples == nil
        else { return nil }
        var packer = Packer(room: 256)
        packer.put(
            status, leftBehind != nil, decoding, source, sourceSHA256, format, levels, silence,
            waveforms,
            trimmed, notTrimmed)
        if let leftBehind { packer.put(leftBehind, earlier) }
        return packer.fitted
    }

    package static func head(
        ofPacked bytes: [UInt8]
    ) -> (status: Status, leavesBehind: Bool, decoding: Decoding?) {
        var unpacker = Unpacker(bytes)
        return (unpacker.next(), unpacker.next(), unpacker.next())
    }

    package init(name: Pathname, packed bytes: [UInt8]) {
        var unpacker = Unpacker(bytes)
        let status: Status = unpacker.next()
        let leavesBehind: Bool = unpacker.next()
        let decoding: Decoding? = unpacker.next()
        self.init(name: name, status: status, source: unpacker.next())
        self.decoding = decoding
        sourceSHA256 = unpacker.next()
        format = unpacker.next()
        levels = unpacker.next()
        silence = unpacker.next()
        waveforms = unpacker.next()
        trimmed = unpacker.next()
        notTrimmed = unpacker.next()
        guard leavesBehind else { return }
        let names: [Pathname] = unpacker.next()
        leftBehind = names
        earlier = unpacker.next()
    }
}

// MARK: - The parts of an entry

extension FileStamp: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(bytes, modifiedNanoseconds)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(bytes: unpacker.next(), modifiedNanoseconds: unpacker.next())
    }
}

extension AudioFormat: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(container, encoding, sampleRateHertz, channels, frames, durationSeconds)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            container: unpacker.next(), encoding: unpacker.next(), sampleRateHertz: unpacker.next(),
            channels: unpacker.next(), frames: unpacker.next())
        durationSeconds = unpacker.next()
    }
}

extension Decoding: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(library, because, raw, revision)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            by: unpacker.next(), because: unpacker.next(), raw: unpacker.next(),
            revision: unpacker.next())
    }
}

extension Levels: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(peakDBFS, rmsDBFS, dcOffset, clippedSamples, samplesBeyondFullScale)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            peakDBFS: unpacker.next(), rmsDBFS: unpacker.next(), dcOffset: unpacker.next(),
            clippedSamples: unpacker.next(), samplesBeyondFullScale: unpacker.next())
    }
}

extension SilenceMap: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(
            noiseFloorDBFS, signalToNoiseDecibels, confidence, separable, silent, intervalsSeconds,
            thresholdDecibels)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            noiseFloorDBFS: unpacker.next(), signalToNoiseDecibels: unpacker.next(),
            confidence: unpacker.next(), separable: unpacker.next(), silent: unpacker.next(),
            intervalsSeconds: unpacker.next())
        thresholdDecibels = unpacker.next()
    }
}

extension WaveformFile: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(path, samplesPerPixel, bits, channels, length, bytes, sha256)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            path: unpacker.next(), samplesPerPixel: unpacker.next(), bits: unpacker.next(),
            channels: unpacker.next(), length: unpacker.next(), bytes: unpacker.next(),
            sha256: unpacker.next())
    }
}

extension TrimmedFile: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(path, durationSeconds, bytes, sha256, edits)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(
            path: unpacker.next(), durationSeconds: unpacker.next(), bytes: unpacker.next(),
            sha256: unpacker.next(), edits: unpacker.next())
    }
}

extension Edit: Packed {
    package func pack(into packer: inout Packer) {
        packer.put(source.lowerBound, source.upperBound, trimmedFrame)
    }

    package init(from unpacker: inout Unpacker) {
        self.init(sourceFrames: unpacker.next()..<unpacker.next(), trimmedFrame: unpacker.next())
    }
}

extension EarlierOutputs: Packed {
    package func pack(into packer: inout Packer) { packer.put(format, source, trimmed, waveforms) }

    package init(from unpacker: inout Unpacker) {
        self.init(
            format: unpacker.next(), source: unpacker.next(), trimmed: unpacker.next(),
            waveforms: unpacker.next())
    }
}
