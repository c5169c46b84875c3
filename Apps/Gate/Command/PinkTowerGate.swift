import ArgumentParser
import Domain
import Foundation
import GateApp

@main
struct PinkTowerGate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinktower-gate", abstract: "A reader of tags at the door of a residence.",
        subcommands: [Pair.self, Run.self, Status.self])
}

/// The options of all commands.
struct CommonOptions: ParsableArguments {
    @Option(help: "Folder of the gate's data ($STATE_DIRECTORY, or /var/lib/pinktower-gate).") var data: String?
    @Option(help: "Language of the texts: en or fr ($LANG).") var language: String?

    func validate() throws {
        if let language, Language(rawValue: language) == nil {
            throw ValidationError("There is no language '\(language)': use en or fr.")
        }
    }

    @MainActor
    func program(isTerminal: Bool) throws -> (program: GateProgram, words: Words) {
        // Files that this process creates are readable by its own user only.
        umask(0o077)
        let environment = ProcessInfo.processInfo.environment
        let path = data ?? environment["STATE_DIRECTORY"] ?? "/var/lib/pinktower-gate"
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        let chosen = language.flatMap(Language.init(rawValue:)) ?? (locale.hasPrefix("fr") ? .french : .english)
        let words = try Display.words(chosen)
        let display = Display(words: words, isTerminal: isTerminal) { Terminal.write($0) }
        return (GateProgram(folder: try GateFolder(URL(filePath: path)), display: display), words)
    }
}

enum Terminal {
    /// Whether lines reach a terminal, which shows colors and rings.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Runs a command and ends with its sentence if it fails.
@MainActor
private func perform(
    _ options: CommonOptions, isTerminal: Bool, _ work: @MainActor (GateProgram) async throws -> Void
) async throws {
    let (program, words) = try options.program(isTerminal: isTerminal)
    do {
        try await work(program)
    } catch let fault as GateFault {
        FileHandle.standardError.write(Data("\(fault.message(words))\n".utf8))
        throw ExitCode(1)
    }
}

struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes this device a gate, with the code that a warden shows under Gates and badges.")
    @OptionGroup var options: CommonOptions
    @Argument(help: "Address of the server: https://school.example.") var server: String
    @Argument(help: "Eight letters and digits.") var code: String

    func run() async throws {
        let (server, code) = (server, code)
        try await perform(options, isTerminal: false) { try await $0.pair(server: server, code: code) }
    }
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads tags until stopped, with or without a network.")
    @OptionGroup var options: CommonOptions
    @Option(help: "Reader: an input device (/dev/input/by-id/...) or a serial one (/dev/ttyUSB0).")
    var reader: String?
    @Option(help: "Speed of a serial reader in bits per second.") var baud = 9600
    @Flag(help: "Read codes from the standard input, one a line.") var stdin = false
    @Flag(inversion: .prefixedNo, help: "Colors and tones (on a terminal).") var color: Bool?

    func validate() throws {
        if (reader != nil) == stdin { throw ValidationError("Give either --reader <device> or --stdin.") }
        if Reader.speeds[baud] == nil {
            let speeds = Reader.speeds.keys.sorted().map(String.init).joined(separator: ", ")
            throw ValidationError("A serial reader has one of the speeds \(speeds).")
        }
    }

    func run() async throws {
        let source = reader.map { Reader.device($0, baud: baud) } ?? .standardInput
        try await perform(options, isTerminal: color ?? Terminal.isThere) { try await $0.run(source) }
    }
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows whether this device is paired, and what it has not sent. Ends with 1 if it is not paired.")
    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await perform(options, isTerminal: false) { program in
            guard try program.status() else { throw ExitCode(1) }
        }
    }
}
