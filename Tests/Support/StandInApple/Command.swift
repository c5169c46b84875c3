import Foundation

/// `standinapple <file>`: writes the server's key to the file, says where it is, and serves until it is ended. For
/// the browser tests.
@main
struct Command {
    static func main() async throws {
        let standIn = try StandInApple()
        try standIn.keyFile.write(to: URL(filePath: CommandLine.arguments[1]))
        // Another site than the server's 127.0.0.1: a browser tells hosts apart by their names.
        try await standIn.serve { port in
            let address = "http://localhost:\(port)"
            standIn.change { $0.address = address }
            FileHandle.standardOutput.write(Data("\(address)\n".utf8))
        }
    }
}
