// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Tapedeck downloads what only measuring needs. The
// rooms that it measures are links to the real ones: what they keep to their package is measured
// as it is.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0")
    ],
    targets: [
        .target(name: "Recordings"),
        .target(
            name: "ReducerKit",
            dependencies: [.product(name: "DequeModule", package: "swift-collections")]),
        .target(
            name: "Jobs",
            dependencies: [
                "ReducerKit", "Recordings",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .executableTarget(
            name: "StoreBenchmark", dependencies: ["Jobs", "ReducerKit", "Recordings"]),
    ],
    swiftLanguageModes: [.v6]
)
