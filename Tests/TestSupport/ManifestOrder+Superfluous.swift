import Jobs
import Recordings

extension ManifestOrder {
    /// All files that go, before it or after.
    package var superfluous: [Pathname] { (obsolete + leaving).sorted() }
}
