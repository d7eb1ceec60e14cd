import ArgumentParser
import Testing

@testable import tapedeck

/// The short way to a command comes to what the parser's own comes to.
@Suite struct ParsedArgumentsTests {
    private func outcome(_ parse: () throws -> any ParsableCommand) -> String {
        do {
            var text = ""
            dump(try parse(), to: &text)
            return text
        } catch {
            return "\(Tapedeck.exitCode(for: error)): " + Tapedeck.fullMessage(for: error)
        }
    }

    @Test(arguments: [
        "", "run", "run in", "run in --output out --jobs 2 --trim gaps", "run --help", "run -h",
        "run in --help", "run --version", "run in --version", "run in --job 2", "run in --jobs x",
        "run in --jobs", "run -- --help", "run help", "run run", "run --generate-completion-script",
        "watch in --quiet", "status out", "map m.json a.wav --to-source 12", "bench", "bench in",
        "help", "help run", "--help", "--version", "--quiet run in",
        "--generate-completion-script bash", "run in --generate-completion-script=bash",
        "run in --experimental-dump-help", "inspect", "verify out extra",
    ])
    func areTheSame(line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        let outcome = outcome { try Tapedeck.parsed(arguments) }
        #expect(outcome == self.outcome { try Tapedeck.parseAsRoot(arguments) })
    }

    @Test(arguments: ["runs in", "in", "help runs", "run in -hello.wav", "-hello.wav"])
    func whatWouldBeMisreadIsTold(line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(outcome { try Tapedeck.parsed(arguments) }.contains(": Error: '"))
        #expect(outcome { try Tapedeck.parsed(arguments) }.hasPrefix("ExitCode(rawValue: 64)"))
    }

    /// Else each start would look twice for a wish to complete.
    @Test func everyCommandNamesTheRoot() {
        for command in Tapedeck.configuration.subcommands {
            #expect(command.configuration._superCommandName == "tapedeck")
        }
    }

    @Test func theValueOfAnOptionMayLookLikeAName() throws {
        let command = try Tapedeck.parsed(["run", "in", "--threshold", "-45dBFS"])
        #expect(command is RunCommand)
    }
}
