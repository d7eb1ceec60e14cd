import ArgumentParser
import Foundation
import Testing

@testable import tapedeck

/// The help as users see it in a terminal of 80 columns.
///
/// With RECORD_HELP=1 in the environment the texts are written anew, and the test fails once so
/// that nobody does so unawares.
@Suite struct HelpTests {
    private static let help = Tapedeck.helpMessage(for: Tapedeck.self, columns: 80)
    private static let runHelp = Tapedeck.helpMessage(for: RunCommand.self, columns: 80)
    private static let watchHelp = Tapedeck.helpMessage(for: WatchCommand.self, columns: 80)
    private static let inspectHelp = Tapedeck.helpMessage(for: InspectCommand.self, columns: 80)
    private static let mapHelp = Tapedeck.helpMessage(for: MapCommand.self, columns: 80)
    private static let replayHelp = Tapedeck.helpMessage(for: ReplayCommand.self, columns: 80)
    private static let statusHelp = Tapedeck.helpMessage(for: StatusCommand.self, columns: 80)
    private static let settingsHelp = Tapedeck.helpMessage(for: SettingsCommand.self, columns: 80)
    private static let exportHelp = Tapedeck.helpMessage(for: ExportCommand.self, columns: 80)
    private static let splitHelp = Tapedeck.helpMessage(for: SplitCommand.self, columns: 80)
    private static let queryHelp = Tapedeck.helpMessage(for: QueryCommand.self, columns: 80)
    private static let verifyHelp = Tapedeck.helpMessage(for: VerifyCommand.self, columns: 80)
    private static let benchHelp = Tapedeck.helpMessage(for: BenchCommand.self, columns: 80)

    @Test func topLevelHelpMatchesRecordedText() {
        #expect(Self.help == HelpTexts.tapedeck)
    }

    @Test func commandHelpMatchesRecordedTexts() {
        #expect(Self.runHelp == HelpTexts.run)
        #expect(Self.watchHelp == HelpTexts.watch)
        #expect(Self.inspectHelp == HelpTexts.inspect)
        #expect(Self.mapHelp == HelpTexts.map)
        #expect(Self.replayHelp == HelpTexts.replay)
        #expect(Self.statusHelp == HelpTexts.status)
        #expect(Self.verifyHelp == HelpTexts.verify)
        #expect(Self.exportHelp == HelpTexts.export)
        #expect(Self.splitHelp == HelpTexts.split)
        #expect(Self.queryHelp == HelpTexts.query)
        #expect(Self.settingsHelp == HelpTexts.settings)
        #expect(Self.benchHelp == HelpTexts.bench)
    }

    @Test func everyFormOfHelpPrintsSameText() throws {
        for arguments in [["run", "--help"], ["help", "run"], ["run", "-h"]] {
            let help = try Self.text(answering: arguments)
            #expect(Self.words(help) == Self.words(HelpTexts.run))
        }
        #expect(Self.words(try Self.text(answering: ["--help"])) == Self.words(HelpTexts.tapedeck))
    }

    @Test func versionOptionPrintsVersion() throws {
        #expect(try Self.text(answering: ["--version"]) == Tapedeck.version)
    }

    /// The parser checks this itself, but only where it is compiled with DEBUG, as `make test` does
    /// not.
    @Test func argumentDefinitionsDoNotConflict() throws {
        let text = Tapedeck._dumpHelp()
        let root = try JSONDecoder().decode(ToolDescription.self, from: Data(text.utf8)).command
        let commands = [root] + (root.subcommands ?? [])
        // The last one is `help`.
        #expect(commands.count == 1 + Tapedeck.configuration.subcommands.count + 1)
        for command in commands {
            let names = (command.arguments ?? []).flatMap { $0.names ?? [] }
            #expect(Set(names).count == names.count, "\(command.commandName)")
            let places = (command.arguments ?? []).filter { $0.kind == "positional" }
            #expect(!places.dropLast().contains { $0.isRepeating }, "\(command.commandName)")
            // Given or not, such a flag would be on.
            let flags = (command.arguments ?? []).filter { $0.kind == "flag" }
            #expect(!flags.contains { $0.defaultValue == "true" }, "\(command.commandName)")
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["RECORD_HELP"] != nil))
    func recordedHelpTextsAreRewritten() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "HelpTexts.swift")
        let text = """
            /// Written by `RECORD_HELP=1 make test FILTER=HelpTests`.
            enum HelpTexts {
                static let tapedeck = #\"\"\"
            \(Self.indented(Self.help))
                    \"\"\"#

                static let run = #\"\"\"
            \(Self.indented(Self.runHelp))
                    \"\"\"#

                static let watch = #\"\"\"
            \(Self.indented(Self.watchHelp))
                    \"\"\"#

                static let inspect = #\"\"\"
            \(Self.indented(Self.inspectHelp))
                    \"\"\"#

                static let map = #\"\"\"
            \(Self.indented(Self.mapHelp))
                    \"\"\"#

                static let replay = #\"\"\"
            \(Self.indented(Self.replayHelp))
                    \"\"\"#

                static let status = #\"\"\"
            \(Self.indented(Self.statusHelp))
                    \"\"\"#

                static let verify = #\"\"\"
            \(Self.indented(Self.verifyHelp))
                    \"\"\"#

                static let export = #\"\"\"
            \(Self.indented(Self.exportHelp))
                    \"\"\"#

                static let split = #\"\"\"
            \(Self.indented(Self.splitHelp))
                    \"\"\"#

                static let query = #\"\"\"
            \(Self.indented(Self.queryHelp))
                    \"\"\"#

                static let settings = #\"\"\"
            \(Self.indented(Self.settingsHelp))
                    \"\"\"#

                static let bench = #\"\"\"
            \(Self.indented(Self.benchHelp))
                    \"\"\"#
            }

            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("The help was written to \(file.path); look it over and test again.")
    }

    /// Both ways of asking for help and the version end in an error that carries the text.
    private static func text(answering arguments: [String]) throws -> String {
        let error = try #require(throws: (any Error).self) {
            var command = try Tapedeck.parseAsRoot(arguments)
            try command.run()
        }
        #expect(Tapedeck.exitCode(for: error) == .success)
        return Tapedeck.fullMessage(for: error)
    }

    /// The text without its line breaks, which follow the terminal's width.
    private static func words(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace)
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "        \($0)" }
            .joined(separator: "\n")
    }
}

/// What the parser tells of itself, as far as it matters here.
private struct ToolDescription: Decodable {
    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        var kind: String
        var isRepeating: Bool
        var names: [Name]?
        var defaultValue: String?
    }

    struct Name: Decodable, Hashable {
        var kind: String
        var name: String
    }

    var command: Command
}
