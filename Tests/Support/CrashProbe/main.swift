import FeatureKit
import Foundation
import Persistence

// crashprobe <file> [kilobytes]
//
// Opens a database and writes numbered rows from eight tasks at once. Prints each number after its write was
// acknowledged, never before. With a size limit the process cannot write past it in any file, like on a full disk; it
// then prints the faults instead of ending.

let notes = [
    MigrationSet(
        owner: "probe",
        migrations: [Migration("001-notes", "CREATE TABLE notes (id BIGINT PRIMARY KEY, body TEXT NOT NULL);")])
]

func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let arguments = CommandLine.arguments
let database = try await SQLiteDatabase.open(at: URL(filePath: arguments[1]), migrations: notes)
if arguments.count > 2, let kilobytes = UInt(arguments[2]) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(kilobytes * 1024), rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}
say("ready")
await withTaskGroup(of: Void.self) { group in
    for writer in 0..<8 {
        group.addTask {
            var number = writer
            while true {
                do {
                    let id = number
                    try await database.write { sql in
                        try sql.execute(
                            "INSERT INTO notes (id, body) VALUES (\(id), \(String(repeating: "x", count: 500)))")
                    }
                    say("kept \(id)")
                } catch {
                    say("fault \(error)")
                    return
                }
                number += 8
            }
        }
    }
}
say("done")
