import Recordings

extension SilenceDetector {
    /// The silences of a recording, and the values that they are found by, frame by frame.
    package static func detectAndTrace(
        _ track: ActivityTrack, recipe: SilenceRecipe, format: AudioFormat
    ) -> (SilenceMap, DetectorTrace) {
        // The network takes longest: it is asked once.
        let heard =
            recipe.goesByNetwork && canHearSpeech(in: track) ? HeardFrames(track) : nil
        return (detect(track, recipe, format, heard), trace(track, recipe, heard))
    }

    private static func trace(
        _ track: ActivityTrack, _ recipe: SilenceRecipe, _ network: HeardFrames?
    ) -> DetectorTrace {
        var trace = DetectorTrace(framesPerSecond: ActivityTrack.framesPerSecond)
        let heard = track.soundingFrames
        for frame in 0..<track.frames {
            let isSilent = track.isDigitalSilence(at: frame)
            trace.levelsDBFS.append(isSilent ? -.infinity : track.levelDBFS(at: frame))
            // Before the first sound and after the last there is no floor.
            trace.floorsDBFS.append(heard.contains(frame) ? track.floorDBFS(at: frame) : -.infinity)
        }
        if let threshold = recipe.thresholdDBFS {
            trace.scale = .dBFS
            trace.scores = trace.levelsDBFS
            let caution = recipe.sensitivityDecibels
            trace.thresholds = Array(repeating: Float(threshold - caution), count: track.frames)
        } else if track.keepsBands {
            trace.scale = .logOdds
            trace.scores = network?.logitsOfAll ?? []
            trace.scores += repeatElement(0, count: track.frames - trace.scores.count)
            let threshold = -SpeechFinder.bias(recipe)
            trace.thresholds = Array(repeating: threshold, count: track.frames)
        } else {
            let activity = Activity(track.part(heard), recipe)
            let thresholds = ActivityThresholds(activity, caution: recipe.sensitivityDecibels)
            let finder = SoundFinder(activity, thresholds, recipe)
            trace.scores = (0..<track.frames).map {
                guard heard.contains($0) else { return 0 }
                let frame = $0 - heard.lowerBound
                let score = activity.widestScore(at: frame)
                return finder.isAboveGate(frame) ? score : min(0, score)
            }
            trace.thresholds = (0..<track.frames).map {
                thresholds.value(at: $0 - heard.lowerBound)
            }
        }
        return trace
    }
}
