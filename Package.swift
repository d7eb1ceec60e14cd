// swift-tools-version: 6.2
import PackageDescription

// The arrows of Sources/README.md, enforced: a room sees only what its line names.
let package = Package(
    name: "tapedeck",
    products: [
        .executable(name: "tapedeck", targets: ["tapedeck"]),
        .executable(name: "tapedeck-decoder", targets: ["tapedeck-decoder"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        // Nouns and C libraries.
        .target(name: "Recordings"),
        .systemLibrary(
            name: "CSndfile", pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CFLAC", pkgConfig: "flac",
            providers: [.apt(["libflac-dev"])]),
        .systemLibrary(
            name: "COgg", pkgConfig: "ogg", providers: [.apt(["libogg-dev"])]),
        .systemLibrary(
            name: "CFFTW", pkgConfig: "fftw3f",
            providers: [.apt(["libfftw3-dev"])]),
        // No pkgConfig, which would link it: Cairo is loaded when a picture is drawn.
        .systemLibrary(name: "CCairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CNettle", pkgConfig: "nettle",
            providers: [.apt(["nettle-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CLibav", pkgConfig: "libavformat libavcodec libavutil",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
        .systemLibrary(name: "CDescriptors"),
        .systemLibrary(name: "CSync"),
        .target(name: "CLanes"),
        .target(name: "CLibraryOutput"),
        .target(name: "CTOML"),
        .target(name: "CCage", linkerSettings: [.linkedLibrary("seccomp")]),

        // Sound.
        .target(name: "DecoderMessages"),
        .executableTarget(
            name: "tapedeck-decoder",
            dependencies: ["Audio", "CCage", "CDescriptors", "CLibav", "DecoderMessages"]),
        .target(
            name: "Audio",
            dependencies: [
                "CDescriptors", "CFLAC", "CLanes", "CLibraryOutput", "COgg", "CSndfile",
                "DecoderMessages", "Recordings",
            ]),
        .target(name: "Analysis", dependencies: ["CFFTW", "CLanes", "Recordings"]),
        .target(name: "WaveformData", dependencies: ["Recordings"]),
        .target(name: "Exports", dependencies: ["Recordings"]),

        // Decisions.
        .target(
            name: "ReducerKit",
            dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(
            name: "Jobs",
            dependencies: [
                "ReducerKit", "Recordings",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),

        // The far side of the switch, the view, the front door.
        .target(
            name: "Workers",
            dependencies: [
                "Analysis", "Audio", "CDescriptors", "CNettle", "CSQLite", "CSync", "CTOML",
                "Exports", "Jobs",
                "Recordings", "ReducerKit", "Reports", "WaveformData",
            ]),
        .target(
            name: "Reports",
            dependencies: ["CCairo", "Exports", "Jobs", "Recordings", "ReducerKit"],
            resources: [
                .embedInCode("Page/Assets/report.css"), .embedInCode("Page/Assets/report.js"),
            ]),
        .target(
            name: "PageServer",
            dependencies: [
                "Exports", "Recordings", "Reports", "Workers",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "tapedeck",
            dependencies: [
                "Exports", "Jobs", "PageServer", "Recordings", "ReducerKit", "Reports", "Workers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: ["podcast", "speech-data", "birds", "archive", "calls"].map {
                .embedInCode("Settings/Presets/\($0).toml")
            }),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["Jobs", "Recordings", "ReducerKit"],
            path: "Tests/TestSupport"),
        .target(name: "PlainLanes", dependencies: ["CLanes"], path: "Tests/PlainLanes"),
        .executableTarget(
            name: "simulate", dependencies: ["Jobs", "Recordings", "ReducerKit", "TestSupport"],
            path: "Tests/Simulate"),
        .executableTarget(
            name: "show-inputs", dependencies: ["Analysis", "Audio", "Recordings"],
            path: "Tests/ShowInputs"),
        .executableTarget(
            name: "speed-check",
            dependencies: ["Analysis", "Audio", "CLanes", "CSndfile", "Recordings"],
            path: "Tests/SpeedCheck"),
        .testTarget(name: "RecordingsTests", dependencies: ["Recordings", "TestSupport"]),
        .testTarget(
            name: "AudioTests",
            dependencies: ["Audio", "CSndfile", "DecoderMessages", "TestSupport"]),
        .testTarget(
            name: "AnalysisTests",
            dependencies: ["Analysis", "CLanes", "PlainLanes", "TestSupport"]),
        .testTarget(
            name: "WaveformDataTests",
            dependencies: ["Analysis", "Audio", "TestSupport", "WaveformData"]),
        .testTarget(name: "ExportsTests", dependencies: ["Exports", "TestSupport"]),
        .testTarget(name: "ReducerKitTests", dependencies: ["ReducerKit", "TestSupport"]),
        .testTarget(name: "JobsTests", dependencies: ["Jobs", "TestSupport"]),
        .testTarget(
            name: "WorkersTests", dependencies: ["Analysis", "Audio", "TestSupport", "Workers"]),
        .testTarget(name: "ReportsTests", dependencies: ["Reports", "TestSupport"]),
        .testTarget(name: "PageServerTests", dependencies: ["PageServer", "TestSupport"]),
        .testTarget(name: "TapedeckTests", dependencies: ["TestSupport", "tapedeck"]),
        .testTarget(name: "EndToEndTests", dependencies: ["TestSupport", "tapedeck"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Tests are built with nothing optimised, which is quickest, but for what they have reckon most,
// and there too with asserts held. What a command line asks of the compiler comes behind what is
// asked here, unless the frontend is told of it.
if Context.environment["HOLDS_ASSERTS"] != nil {
    let rooms = [
        "Analysis", "Audio", "Jobs", "Recordings", "ReducerKit", "Reports", "TestSupport",
        "WaveformData",
    ]
    for target in package.targets where rooms.contains(target.name) {
        let settings = [SwiftSetting.unsafeFlags(["-Xfrontend", "-O", "-assert-config", "Debug"])]
        target.swiftSettings = (target.swiftSettings ?? []) + settings
    }
}
