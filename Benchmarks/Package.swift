// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Tapedeck downloads what only measuring needs. The
// rooms that it measures are links to the real ones: what they keep to their package is measured
// as it is.
let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        // Without the counting of allocations, which needs further packages.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .target(name: "Recordings"),
        .systemLibrary(name: "CFLAC", pkgConfig: "flac"),
        .systemLibrary(name: "COgg", pkgConfig: "ogg"),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile"),
        .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f"),
        .systemLibrary(name: "CSync"),
        .systemLibrary(name: "CDescriptors"),
        .target(name: "DecoderMessages"),
        .target(
            name: "Audio",
            dependencies: [
                "CDescriptors", "CFLAC", "CLanes", "CLibraryOutput", "COgg", "CSndfile",
                "DecoderMessages", "Recordings",
            ]),
        .target(name: "CLanes"),
        .target(name: "CLibraryOutput"),
        .target(name: "PlainLanes", dependencies: ["CLanes"]),
        .target(name: "Analysis", dependencies: ["CFFTW", "CLanes", "Recordings"]),
        .target(
            name: "ReducerKit",
            dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(
            name: "Jobs",
            dependencies: [
                "ReducerKit", "Recordings",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(name: "StoreRuns", dependencies: ["Jobs", "ReducerKit", "Recordings"]),
        .executableTarget(name: "StoreBenchmark", dependencies: ["StoreRuns"]),
        .executableTarget(
            name: "Rooms",
            dependencies: [
                "Analysis", "Audio", "CLanes", "CSndfile", "PlainLanes", "Recordings", "StoreRuns",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Rooms",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ],
    swiftLanguageModes: [.v6]
)
