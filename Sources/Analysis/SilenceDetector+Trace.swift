import Recordings

extension SilenceDetector {
    /// What `detect` goes by, frame by frame, for people who want to see why.
    package static func trace(_ track: ActivityTrack, recipe: SilenceRecipe) -> DetectorTrace {
        let activity = Activity(track, recipe)
        let thresholds = ActivityThresholds(activity, caution: recipe.sensitivityDecibels)
        var trace = DetectorTrace(framesPerSecond: ActivityTrack.framesPerSecond)
        for frame in 0..<activity.frames {
            let isSilent = activity.isDigitalSilence(at: frame)
            trace.levelsDBFS.append(isSilent ? -.infinity : activity.levelDBFS(at: frame))
            trace.floorsDBFS.append(activity.floorDBFS(at: frame))
            trace.scores.append(activity.score(at: frame))
            trace.thresholds.append(thresholds.value(at: frame))
        }
        if recipe.goesByNetwork, canHearSpeech(in: track) {
            trace.scale = .logOdds
            trace.thresholds = Array(repeating: 0, count: activity.frames)
            let inputs = SpeechInputs(track)
            SpeechNetwork.shipped.run(frames: track.frames, fill: inputs.fill) { frame, logit in
                trace.scores[frame] = logit
            }
        }
        return trace
    }
}
