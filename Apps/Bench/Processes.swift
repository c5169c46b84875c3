import ArgumentParser
import Foundation
import Hummingbird

/// A server in a process of its own, as in production. It ends with `stop` or with the bench.
// Safe: only the process's id and termination are used; `port` is set once, before use.
final class ServerProcess: @unchecked Sendable {
    private let process: Process
    private let output = Pipe()
    private let began = ContinuousClock.now
    private(set) var port = 0

    private init(_ executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
    }

    private static var folder: URL {
        URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    }

    static func pinktower(data: URL, commitDelay: Int = 0, weakHash: Bool = true) throws -> ServerProcess {
        try ServerProcess(
            folder.appending(path: "pinktower"), ["serve", "--data", data.path, "--port", "0"],
            ["PINKTOWER_COMMIT_DELAY": String(commitDelay), "PINKTOWER_WEAK_PASSWORD_HASH": String(weakHash)])
    }

    /// Starts a task of the command line, which ends by itself; see `wait`.
    static func pinktower(_ arguments: [String]) throws -> ServerProcess {
        try ServerProcess(folder.appending(path: "pinktower"), arguments, [:])
    }

    static func bare(_ data: URL) throws -> ServerProcess {
        try ServerProcess(folder.appending(path: "bench"), ["bare", data.appending(path: "bare.html").path], [:])
    }

    /// Waits for the line with the address; returns the milliseconds since the start.
    @discardableResult
    func ready() async throws -> Double {
        var text = ""
        while !text.contains("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw ValidationError("A server ended before it was ready.") }
            text += String(decoding: data, as: UTF8.self)
        }
        let time = began.duration(to: .now) / .milliseconds(1)
        let digits = text.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        guard let port = Int(digits) else { throw ValidationError("A server named no port: \(text)") }
        self.port = port
        return time
    }

    /// The resident memory in KB.
    var residentKilobytes: Int { memory("VmRSS") }

    /// The highest resident memory since `resetPeak`, in KB.
    var peakKilobytes: Int { memory("VmHWM") }

    /// Lets the peak begin anew at the resident memory of now, which it returns in KB.
    func resetPeak() -> Int {
        // Where the kernel refuses, the peak is that of the whole run, which is the stricter figure.
        try? "5".write(toFile: "/proc/\(process.processIdentifier)/clear_refs", atomically: false, encoding: .utf8)
        return residentKilobytes
    }

    private func memory(_ kind: String) -> Int {
        do {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(kind):") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        } catch {
            return 0
        }
    }

    /// Waits until the process ends. Throws when it fails.
    func wait() throws {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ValidationError("A task ended with \(process.terminationStatus).")
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// The baseline: a bare Hummingbird server.
struct Bare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves a file at /page, echoes at /echo, and writes to a file at /sink; for comparison.",
        shouldDisplay: false)
    @Argument var file: String

    func run() async throws {
        let path = file
        let page = BareFile()
        let router = Router()
        router.get("page") { _, _ in
            // Read once the page exists, since the comparison is about serving, not reading files.
            Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: ResponseBody(byteBuffer: try await page.bytes(path)))
        }
        router.post("echo") { request, _ in
            let body = try await request.body.collect(upTo: 256 * 1024)
            return Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        router.put("sink") { request, _ in
            // The comparison of an upload: each portion is written when it arrives, and the file is on disk at the end.
            let file = URL(filePath: path).deletingLastPathComponent().appending(path: "sink-\(UUID().uuidString)")
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            for try await portion in request.body {
                try portion.withUnsafeReadableBytes { bytes in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let count = write(
                            handle.fileDescriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                        guard count > 0 else { throw CocoaError(.fileWriteUnknown) }
                        rest = rest.dropFirst(count)
                    }
                }
            }
            try handle.synchronize()
            try handle.close()
            try FileManager.default.removeItem(at: file)
            return Response(status: .ok)
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in Report.line("bare at http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            })
        try await application.runService()
    }
}

/// The bytes of the page, read at the first request.
actor BareFile {
    private var bytes: ByteBuffer?

    func bytes(_ path: String) throws -> ByteBuffer {
        if let bytes { return bytes }
        let read = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: path)))
        bytes = read
        return read
    }
}

/// The load generator `wrk`, light enough to leave the cores to the server.
enum Wrk {
    struct Result {
        var perSecond = 0.0
        var p50 = 0.0
        var p99 = 0.0
        var errors = 0
    }

    static let path = "/usr/bin/wrk"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func run(
        _ server: ServerProcess, _ target: String, clients: Int, seconds: Int, headers: [String] = [],
        script: URL? = nil
    ) throws -> Result {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments =
            ["-t1", "-c\(clients)", "-d\(seconds)s", "--latency"] + headers.flatMap { ["-H", $0] }
            + (script.map { ["-s", $0.path] } ?? []) + ["http://127.0.0.1:\(server.port)\(target)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var result = Result()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("Requests/sec:") { result.perSecond = words.last.flatMap(Double.init) ?? 0 }
            if words.first == "50%" { result.p50 = milliseconds(words.last) }
            if words.first == "99%" { result.p99 = milliseconds(words.last) }
            if line.contains("Non-2xx") { result.errors = words.last.flatMap(Int.init) ?? -1 }
        }
        guard result.perSecond > 0 else { throw ValidationError("wrk measured nothing:\n\(text)") }
        return result
    }

    /// Parses `1.20ms`, `340.00us` or `1.02s`.
    private static func milliseconds(_ text: String?) -> Double {
        guard let text else { return 0 }
        let number = Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
        if text.hasSuffix("us") { return number / 1000 }
        return text.hasSuffix("ms") ? number : number * 1000
    }
}
