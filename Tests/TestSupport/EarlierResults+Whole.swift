import Jobs
import Recordings

extension EarlierManifest {
    package init(_ manifest: Manifest) {
        self.init(recipe: manifest.recipe, entries: manifest.recordings.map { SettledEntry($0) })
    }
}

extension EarlierFacts {
    package init(_ facts: [JournalFact]) {
        self.init()
        for fact in facts { add(fact) }
    }
}
