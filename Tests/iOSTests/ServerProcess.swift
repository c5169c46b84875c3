import Foundation
import Testing

/// A server that runs as a process of its own.
@MainActor
struct ServerProcess {
    /// The server ended before it listened, or no port was free.
    struct Silent: Error {}

    let address: URL
    private let process = Process()

    /// - Parameter environment: The settings besides those of every test.
    init(in folder: URL, _ environment: [String: String] = [:]) throws {
        let port = try Self.freePort()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.arguments = ["serve", "--port", "\(port)", "--data", folder.appending(path: "data").path]
        process.environment = ["PINKTOWER_WEAK_PASSWORD_HASH": "true"].merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The server says its public address when it listens.
        var said = Data()
        while !said.contains(0x0A) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Silent() }
            said += more
        }
        address = try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    func end() { process.terminate() }

    /// A port of loopback that nobody listens on.
    private static func freePort() throws -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Silent() }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Silent() }
        return UInt16(bigEndian: address.sin_port)
    }
}
