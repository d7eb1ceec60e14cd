import Foundation
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Audio

/// What libraries print while they decode.
@Suite struct LibraryOutputTests {
    private let folder = TestFolder()

    @Test func captureCollectsStandardOutputAndError() {
        let (result, printed) = LibraryOutput.capture { () -> Int in
            puts("to output")
            errno = ENOENT
            perror("to error")
            return 7
        }
        #expect(result == 7)
        #expect(printed == "to output; to error: No such file or directory")
        #expect(LibraryOutput.capture {}.printed == nil)
    }

    @Test func nestedCaptureCollectsItsOwnOutput() {
        let (inner, printed) = LibraryOutput.capture { () -> String? in
            puts("before")
            let inner = LibraryOutput.capture { puts("within") }.printed
            puts("behind")
            return inner
        }
        #expect(inner == "within")
        #expect(printed == "before; behind")
    }

    @Test func eachThreadCapturesItsOwnOutput() {
        let texts = Mutex<[Int: String]>([:])
        DispatchQueue.concurrentPerform(iterations: 50) { number in
            let printed = LibraryOutput.capture {
                for _ in 0..<20 { puts("\(number)") }
            }.printed
            texts.withLock { $0[number] = printed }
        }
        #expect(texts.withLock { $0.count } == 50)
        for (number, text) in texts.withLock({ $0 }) {
            #expect(text == Array(repeating: "\(number)", count: 20).joined(separator: "; "))
        }
    }

    @Test func capturedOutputIsBounded() throws {
        let printed = LibraryOutput.capture {
            for _ in 0..<10_000 { puts("äöü and more than is kept") }
        }.printed
        #expect(try #require(printed).count == LibraryOutput.mostCharacters)
    }

    @Test func messageIsOneLineWithoutControlCharacters() {
        let text = "\u{1B}[31mred\r\n\r\n  next\tline \u{7}\u{85}\n"
        #expect(LibraryOutput.message(of: text) == "[31mred; next; line ")
        #expect(LibraryOutput.message(of: "\n \r\n") == nil)
    }

    /// libsndfile prints to standard output what it finds wrong with a packet.
    @Test func outputOfSampleDumpDecoderIsCaptured() throws {
        let path = folder.write(NoisySound.sampleDump(), to: "noisy.sds")
        let printed = LibraryOutput.capture { _ = try? Decoded(path) }.printed
        #expect(try #require(printed).hasPrefix("Error A : AA"))
    }
}
