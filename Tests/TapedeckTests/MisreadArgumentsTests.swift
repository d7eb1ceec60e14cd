import ArgumentParser
import Recordings
import Testing

@testable import tapedeck

@Suite struct MisreadArgumentsTests {
    /// The sentence about a line, in a folder that holds `talks` and `help`.
    private func sentence(_ line: String) -> String? {
        let arguments = MisreadArguments(commands: ["run", "status", "map"]) {
            ["talks", "help"].contains($0)
        }
        do {
            try arguments.check(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return Tapedeck.message(for: error)
        }
    }

    @Test(arguments: [
        "", "run talks", "run -h talks", "run -h -hello.wav", "run talks --threshold -30dBFS",
        "run talks --sensitivity -3 --jobs x", "run ./-hello.wav", "run -- -hello.wav",
        "run stauts", "help", "help run", "help --version", "--help", "--helo run",
        "---completion run", "map a.json a.wav --to-source -1.5 -", "run -é",
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
                == "'talks' is no command, but there is such a path; write run before it")
    }

    @Test(arguments: ["run talks -hello.wav", "-hello.wav", "status -hello.wav --json"])
    func aNameThatBeginsWithADash(line: String) {
        #expect(
            sentence(line)
                == "'-hello.wav' is no option; before a name that begins so, write ./")
    }
}
