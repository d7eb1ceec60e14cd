import Recordings
import Testing

@Suite struct FileStampTests {
    /// What a file system keeps of a time that ends in 123 456 789 ns, and whether that is it.
    @Test(
        arguments: [
            (0, true), (89, true), (6_789, false), (456_789, true), (789, true),
            // In steps of ten milliseconds, a second and two, downward and upward.
            (3_456_789, true), (123_456_789, true), (1_123_456_789, true), (-876_543_211, true),
            (90, false), (-1, false), (1_000_000_000, false), (2_123_456_789, false),
        ] as [(Int64, Bool)])
    func timestampMatchesWithinFileSystemPrecision(less: Int64, isIt: Bool) {
        let given: Int64 = 1_700_000_001_123_456_789
        #expect(FileStamp.isTime(given - less, given) == isIt)
        #expect(FileStamp.isTime(given, given))
        #expect(!FileStamp.isTime(.min, .max))
    }
}
