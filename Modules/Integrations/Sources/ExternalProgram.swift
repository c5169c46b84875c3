import Foundation
import Subprocess
import SystemPackage

/// A program outside this process, run to its end.
///
/// Foundation's `Process` is not used in the server: before it starts a program it lists the open files, and reads past the
/// end of that list when there are about 1,300, which a busy server has.
enum ExternalProgram {
    /// How a program ended.
    enum End: Equatable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)
        /// It was killed because it took longer than it may.
        case timeout

        var description: String {
            switch self {
            case .status(let status): "status \(status)"
            case .signal(let signal): "signal \(signal)"
            case .timeout: "no answer in time"
            }
        }
    }

    /// Runs a program and discards what it prints.
    ///
    /// - Parameters:
    ///   - path: The program's path.
    ///   - arguments: Its arguments.
    ///   - input: The file that it reads as standard input. A file instead of a pipe: a program may exit without reading.
    ///   - limit: The longest time that it may take.
    /// - Throws: An error if the file cannot be opened or the program cannot be started.
    static func run(_ path: String, _ arguments: [String], input: URL, within limit: Duration) async throws -> End {
        let file = try FileDescriptor.open(FilePath(input.path), .readOnly, options: .closeOnExec)
        return try await withThrowingTaskGroup(of: End.self) { group in
            group.addTask {
                let result = try await Subprocess.run(
                    .path(FilePath(path)), arguments: Arguments(arguments),
                    input: .fileDescriptor(file, closeAfterSpawningProcess: true), output: .discarded,
                    error: .discarded)
                return switch result.terminationStatus {
                case .exited(let status): .status(status)
                case .signaled(let signal): .signal(signal)
                }
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return .timeout
            }
            // Canceling kills the program; the group waits for its end.
            defer { group.cancelAll() }
            return try await group.next() ?? .timeout
        }
    }
}
