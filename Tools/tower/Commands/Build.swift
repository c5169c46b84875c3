import ArgumentParser
import Conformance
import Foundation

struct Build: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Builds everything, or only the named blocks with the kernel and the interfaces they need.")

    @Argument(help: "Names of blocks; without one, the whole tree.")
    var features: [String] = []

    @Flag(help: "Build anew, to see how long that takes.")
    var clean = false

    func run() throws {
        try PackageManager(Repository()).run("build", features, clean: clean)
    }
}

struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tests everything, or only the named blocks, each without server and adapters.",
        discussion: "'tower status' reads the log of a whole run.")

    @Argument(help: "Names of blocks; without one, the whole tree.")
    var features: [String] = []

    @Flag(help: "Build anew, to see how long that takes.")
    var clean = false

    @Option(help: "Only tests whose name matches this expression; such a run is not kept for 'tower status'.")
    var filter: String?

    func run() throws {
        try PackageManager(Repository()).run("test", features, clean: clean, filter: filter)
    }
}

/// Calls the Swift package manager for the whole package or for single blocks.
struct PackageManager {
    /// Single blocks use another folder: their manifest differs, so a shared one would be rebuilt each time.
    private static let blockScratch = ".build/block"

    let repository: Repository

    init(_ repository: Repository) { self.repository = repository }

    /// The number of tests in parallel. Without a limit all start together and hold thousands of open databases, which
    /// is slower, and Foundation's `Process` overruns its buffer at some 1,300 open files.
    private static let width = 8

    func run(_ verb: String, _ features: [String], clean: Bool, filter: String? = nil) throws {
        var command = ["swift", verb]
        var environment: [String: String] = [:]
        var name = "the package"
        if features.isEmpty {
            let flags = try Shell.run([".ci/build-flags"], in: repository.root)
            guard flags.status == 0 else { throw Shell.Failure(command: ".ci/build-flags", result: flags) }
            command += flags.output.split { $0.isWhitespace }.map(String.init)
        } else {
            let names = try BlockTable(Manifest(ofPackageAt: repository.root)).checked(features)
            environment["BLOCK"] = names.joined(separator: ",")
            name = names.joined(separator: ", ")
            command += ["--scratch-path", PackageManager.blockScratch]
            // Whole-module builds are a sixth faster from clean and no slower after a change.
            let cores = String(ProcessInfo.processInfo.activeProcessorCount)
            command += ["-wmo", "-disable-batch-mode", "-num-threads", cores].flatMap { ["-Xswiftc", $0] }
            // A single block needs fewer packages; without this flag, Package.resolved would lose the others.
            if repository.has("Package.resolved") { command.append("--force-resolved-versions") }
        }
        if clean { try removeBuild(features.isEmpty ? ".build" : PackageManager.blockScratch) }
        if verb == "test" {
            let kind = features.isEmpty && filter == nil ? Repository.events : ".build/tests/partial.jsonl"
            let events = repository.url(kind)
            try FileManager.default.createDirectory(
                at: events.deletingLastPathComponent(), withIntermediateDirectories: true)
            command += ["--disable-xctest", "--event-stream-version", "0"]
            command += ["--event-stream-output-path", events.path]
            command += ["--experimental-maximum-parallelization-width", String(Self.width)]
            if let filter { command += ["--filter", filter] }
        }
        let clock = ContinuousClock()
        let start = clock.now
        let status = try Shell.show(
            command, in: repository.root, with: environment, without: ["BLOCK", "FEATURES"])
        let time = (clock.now - start).inSeconds
        guard status == 0 else {
            print("\(verb.capitalized) of \(name) failed after \(time).")
            throw ExitCode(status)
        }
        print("\(verb.capitalized) of \(name) succeeded in \(time).")
    }

    /// Removes the build products, but not the packages' sources, as `swift package clean` does.
    private func removeBuild(_ scratch: String) throws {
        let status = try Shell.show(
            ["swift", "package", "--scratch-path", scratch, "clean"], in: repository.root, with: [:],
            without: ["BLOCK", "FEATURES"])
        guard status == 0 else { throw ExitCode(status) }
    }
}
