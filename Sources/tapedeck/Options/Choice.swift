import ArgumentParser

/// One of a few words.
///
/// Says by itself what the parser would find out by looking at its cases, for each option of the
/// kind several times a start.
package protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension Choice {
    package init?(argument: String) { self.init(rawValue: argument) }

    package var defaultValueDescription: String { rawValue }
    package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    package static var allValueDescriptions: [String: String] { [:] }
}
