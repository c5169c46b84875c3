import Foundation

/// `standinapple <file>`: writes the server's key to the file, prints its address, and serves until it is ended. For
/// the browser tests.
@main
struct Command {
    static func main() async throws {
        let standIn = try StandInApple()
        try standIn.keyFile.write(to: URL(filePath: CommandLine.arguments[1]))
        // Browsers treat localhost as another site than the server's 127.0.0.1.
        try await standIn.serve { port in
            let address = "http://localhost:\(port)"
            standIn.change { $0.address = address }
            FileHandle.standardOutput.write(Data("\(address)\n".utf8))
        }
    }
}
