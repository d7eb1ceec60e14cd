import Recordings

extension SilenceDetector {
    /// The values that `detect` uses, frame by frame, for diagnosis.
    package static func trace(_ track: ActivityTrack, recipe: SilenceRecipe) -> DetectorTrace {
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
            trace.scores = canHearSpeech(in: track) ? SpeechFinder.logits(of: track) : []
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
