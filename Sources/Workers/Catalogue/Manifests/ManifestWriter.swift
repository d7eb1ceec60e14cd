import Recordings

// The nouns of a manifest as JSON, each with its keys in ascending order.

extension JSONWriter {
    mutating func put(_ entry: ManifestEntry) {
        object { json in
            json.member("decoderMessage", entry.decoderMessage) { $0.string($1) }
            json.member("decoding", entry.decoding) { $0.put($1) }
            json.member("earlier", entry.earlier) { json, earlier in
                json.array(earlier) { $0.put($1) }
            }
            json.member("failure", entry.failure) { $0.put($1) }
            json.member("format", entry.format) { $0.put($1) }
            json.member("leftBehind", entry.leftBehind) { json, names in
                json.array(names) { $0.put($1) }
            }
            json.member("levels", entry.levels) { $0.put($1) }
            json.key("name")
            json.put(entry.name)
            json.member("notTrimmed", entry.notTrimmed) { $0.string($1.rawValue) }
            json.member("recipe", entry.recipe) { $0.put($1) }
            json.member("silence", entry.silence) { $0.put($1) }
            json.member("source", entry.source) { $0.put($1) }
            json.member("sourceSHA256", entry.sourceSHA256) { $0.string($1) }
            json.key("status")
            json.string(entry.status.rawValue)
            json.member("trimmed", entry.trimmed) { $0.put($1) }
            json.member("warnings", entry.warnings) { json, warnings in
                json.array(warnings) { $0.put($1) }
            }
            json.member("waveforms", entry.waveforms) { json, files in
                json.array(files) { $0.put($1) }
            }
        }
    }

    private mutating func put(_ decoding: Decoding) {
        object { json in
            json.member("because", decoding.because) { $0.string($1.rawValue) }
            json.key("library")
            json.string(decoding.library.rawValue)
            json.member("raw", decoding.raw) { $0.string($1) }
            json.key("revision")
            json.integer(decoding.revision)
        }
    }

    private mutating func put(_ warning: RecordingWarning) {
        object { json in
            json.member("frame", warning.frame) { $0.integer($1) }
            json.key("kind")
            json.string(warning.kind.rawValue)
            json.member("lostSeconds", warning.lostSeconds) { $0.number($1) }
        }
    }

    private mutating func put(_ outputs: EarlierOutputs) {
        object { json in
            json.member("format", outputs.format) { $0.put($1) }
            json.key("source")
            json.put(outputs.source)
            json.member("trimmed", outputs.trimmed) { $0.put($1) }
            json.member("waveforms", outputs.waveforms) { json, files in
                json.array(files) { $0.put($1) }
            }
        }
    }

    /// A string, or `{"bytes": "<hexadecimal>"}` where a string cannot hold the name.
    mutating func put(_ name: Pathname) {
        if name.isUTF8 {
            name.bytes.withUnsafeBufferPointer { string($0) }
        } else {
            object { $0.member("bytes", name.hexadecimal) { $0.string($1) } }
        }
    }

    mutating func put(_ recipe: Recipe) {
        object { json in
            json.key("silence")
            json.put(recipe.silence)
            json.key("trim")
            json.put(recipe.trim)
            json.key("waveform")
            json.put(recipe.waveform)
        }
    }

    /// A key and its value; neither where there is none.
    @inline(__always)
    private mutating func member<Value>(
        _ name: StaticString, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return }
        key(name)
        body(&self, value)
    }
}

// MARK: - Parts of a recipe

extension JSONWriter {
    private mutating func put(_ silence: SilenceRecipe) {
        object { json in
            json.member("activity", silence.activity) { $0.string($1.rawValue) }
            json.member("detector", silence.detector) { $0.string($1.rawValue) }
            json.member("method", silence.method) { $0.integer($1) }
            json.member("minimumSeconds", silence.minimumSeconds) { $0.number($1) }
            json.member("minimumSoundSeconds", silence.minimumSoundSeconds) { $0.number($1) }
            json.member("sensitivityDecibels", silence.sensitivityDecibels) { $0.number($1) }
            json.member("thresholdDBFS", silence.thresholdDBFS) { $0.number($1) }
        }
    }

    private mutating func put(_ trim: TrimRecipe) {
        object { json in
            json.member("fadeMilliseconds", trim.fadeMilliseconds) { $0.number($1) }
            json.member("format", trim.format) { $0.string($1.rawValue) }
            json.member("keepSilenceSeconds", trim.keepSilenceSeconds) { $0.number($1) }
            json.member("keptGapShare", trim.keptGapShare) { $0.number($1) }
            json.member("longestGapSeconds", trim.longestGapSeconds) { $0.number($1) }
            json.member("mode", trim.mode) { $0.string($1.rawValue) }
        }
    }

    private mutating func put(_ waveform: WaveformRecipe) {
        object { json in
            json.member("bits", waveform.bits) { $0.integer($1) }
            json.member("format", waveform.format) { $0.string($1.rawValue) }
            json.key("samplesPerPixel")
            json.array(waveform.samplesPerPixel) { $0.integer($1) }
            json.member("splitChannels", waveform.splitChannels) { $0.bool($1) }
        }
    }
}

// MARK: - Parts of an entry

extension JSONWriter {
    private mutating func put(_ failure: RecordingFailure) {
        object { json in
            json.member("code", failure.code) { $0.integer($1) }
            json.member("decoding", failure.decoding) { $0.integer($1) }
            json.member("detail", failure.detail) { $0.string($1) }
            json.member("expected", failure.expected) { $0.integer($1) }
            json.member("frame", failure.frame) { $0.integer($1) }
            json.member("reason", failure.reason) { $0.string($1.rawValue) }
            json.member("stage", failure.stage) { $0.string($1.rawValue) }
        }
    }

    private mutating func put(_ format: AudioFormat) {
        object { json in
            json.member("channels", format.channels) { $0.integer($1) }
            json.member("container", format.container) { $0.string($1.rawValue) }
            json.member("durationSeconds", format.durationSeconds) { $0.number($1) }
            json.member("encoding", format.encoding) { $0.string($1.rawValue) }
            json.member("frames", format.frames) { $0.integer($1) }
            json.member("sampleRateHertz", format.sampleRateHertz) { $0.integer($1) }
        }
    }

    private mutating func put(_ levels: Levels) {
        object { json in
            json.key("clippedSamples")
            json.array(levels.clippedSamples) { $0.integer($1) }
            json.key("dcOffset")
            json.array(levels.dcOffset) { $0.number($1) }
            json.member("nonFiniteSamples", levels.nonFiniteSamples) { json, counts in
                json.array(counts) { $0.integer($1) }
            }
            json.key("peakDBFS")
            json.array(levels.peakDBFS) { $0.decibels($1) }
            json.key("rmsDBFS")
            json.array(levels.rmsDBFS) { $0.decibels($1) }
            json.key("samplesBeyondFullScale")
            json.array(levels.samplesBeyondFullScale) { $0.integer($1) }
        }
    }

    private mutating func decibels(_ value: Double?) {
        if let value { number(value) } else { raw("null") }
    }

    private mutating func put(_ silence: SilenceMap) {
        object { json in
            json.member("confidence", silence.confidence) { $0.number($1) }
            json.key("intervalsSeconds")
            json.array(silence.intervalsSeconds) { json, interval in
                json.array(interval) { $0.number($1) }
            }
            json.member("noiseFloorDBFS", silence.noiseFloorDBFS) { $0.number($1) }
            json.member("separable", silence.separable) { $0.bool($1) }
            json.member("signalToNoiseDecibels", silence.signalToNoiseDecibels) { $0.number($1) }
            json.member("silent", silence.silent) { $0.bool($1) }
            json.member("thresholdDecibels", silence.thresholdDecibels) { $0.number($1) }
        }
    }

    private mutating func put(_ stamp: FileStamp) {
        object { json in
            json.member("bytes", stamp.bytes) { $0.integer($1) }
            json.member("modifiedNanoseconds", stamp.modifiedNanoseconds) { $0.integer($1) }
        }
    }

    private mutating func put(_ file: TrimmedFile) {
        object { json in
            json.member("bytes", file.bytes) { $0.integer($1) }
            json.member("durationSeconds", file.durationSeconds) { $0.number($1) }
            json.key("edits")
            json.array(file.edits) { json, edit in
                json.object { json in
                    json.key("sourceFrames")
                    json.array(edit.sourceFrames) { $0.integer($1) }
                    json.member("trimmedFrame", edit.trimmedFrame) { $0.integer($1) }
                }
            }
            json.member("path", file.path) { $0.put($1) }
            json.member("sha256", file.sha256) { $0.string($1) }
        }
    }

    private mutating func put(_ file: WaveformFile) {
        object { json in
            json.member("bits", file.bits) { $0.integer($1) }
            json.member("bytes", file.bytes) { $0.integer($1) }
            json.member("channels", file.channels) { $0.integer($1) }
            json.member("length", file.length) { $0.integer($1) }
            json.member("path", file.path) { $0.put($1) }
            json.member("samplesPerPixel", file.samplesPerPixel) { $0.integer($1) }
            json.member("sha256", file.sha256) { $0.string($1) }
        }
    }
}
