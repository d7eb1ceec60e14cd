import ArgumentParser
import Recordings
import Testing

@testable import tapedeck

@Suite struct MisreadArgumentsTests {
    /// The sentence about a line, in a folder that holds `talks`, `help`, `-3` and `-hello.wav`.
    private func sentence(_ line: String) -> String? {
        let arguments = MisreadArguments(commands: ["run", "status", "map"]) {
            ["talks", "help", "-3", "-hello.wav"].contains($0)
        }
        do {
            try arguments.check(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return Tapedeck.message(for: error)
        }
    }

    @Test(arguments: [
        "", "run talks", "run -h talks", "run talks --threshold -3", "run ./-hello.wav",
        "run -- -hello.wav", "run -other.wav", "run stauts", "help", "help run", "help --version",
        "--help", "--helo run", "map a.json a.wav --to-source -3",
    ])
    func otherWordsAreTheParsers(line: String) {
        #expect(sentence(line) == nil)
    }

    @Test(arguments: ["stauts out", "help stauts", "stauts --help", "Status"])
    func aWordThatIsNoCommand(line: String) {
        let word = line.hasPrefix("S") ? "Status" : "stauts"
        #expect(sentence(line) == "'\(word)' is no command; there are run, status and map")
    }

    @Test func aPathWithoutACommand() {
        #expect(
            sentence("talks --trim off")
                == "'talks' is no command, but there is such a path: tapedeck run talks")
    }

    @Test(arguments: ["run talks -hello.wav", "-hello.wav", "status -hello.wav --json"])
    func aNameThatBeginsWithADash(line: String) {
        #expect(
            sentence(line)
                == "'-hello.wav' begins with a dash, as options do; write ./-hello.wav")
    }
}
