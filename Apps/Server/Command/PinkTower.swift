import ArgumentParser
import Foundation
import ServerApp

@main
struct PinkTower: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinktower", abstract: "A school platform in blocks that stack.",
        subcommands: [
            Serve.self, Demo.self, Import.self, UndoImport.self, Backup.self, Restore.self, Move.self, Export.self,
            Delete.self, Check.self, Operator.self, RemoveSecondFactor.self, Reset.self,
            WritePrivacyManifest.self,
        ], defaultSubcommand: Serve.self)
}

/// The settings that can be flags. Others come from the environment or the configuration file.
struct SettingFlags: ParsableArguments {
    @Option(help: "Address to listen on (127.0.0.1).") var host: String?
    @Option(help: "Port to listen on (8080); 0 takes a free one.") var port: String?
    @Option(help: "Folder of the databases (data).") var data: String?
    @Option(help: "Where people reach the server (http://127.0.0.1:8080).") var publicURL: String?
    @Option(help: "Blocks to switch on, with commas (all).") var features: String?
    @Option(help: "Least important log entries that are written (notice).") var logLevel: String?
    @Option(help: "Configuration file (pinktower.yaml).") var config: String?

    func settings() async throws -> ServerSettings {
        // Files that this process creates are readable by its own user only.
        umask(0o077)
        let flags = [
            "host": host, "port": port, "data": data, "publicURL": publicURL, "features": features,
            "logLevel": logLevel, "config": config,
        ]
        return try await ServerSettings.read(flags: flags.compactMapValues { $0 })
    }
}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves until stopped (the default).")
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let settings = try await flags.settings()
        try await serve(settings) { port in
            Terminal.say("PinkTower is open at \(settings.publicURL.replacingPort(settings.port, by: port))")
        }
        Terminal.say("PinkTower has stopped. Everything that was saved is in \(settings.dataFolder.path).")
    }
}

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fills an empty data folder with a lively sample school and prints its sign-ins.")
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        for line in try await fillDemoSchool(flags.settings()) { Terminal.say(line) }
    }
}

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads a OneRoster 1.1 or 1.2 CSV bundle or a plain list of people into a school.",
        discussion:
            "Files with a fault change nothing; the report lists all of them. Importing again is safe, and `undo-import` takes it back."
    )
    @Argument(help: "Folder of the CSV files, a ZIP file of them, or one CSV file with a list of people.")
    var path: String
    @Option(help: "Name or id of the school, where there are several.") var school: String?
    @Flag(help: "Show what would change and change nothing.") var dryRun = false
    @Flag(help: "Import also where the report asks: nobody gets a role, or names are cut in half.") var confirm =
        false
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let lines = try await importRoster(
            from: URL(filePath: path), school: school, dryRun: dryRun, isConfirmed: confirm, flags.settings())
        for line in lines { Terminal.say(line) }
    }
}

struct UndoImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo-import", abstract: "Takes an import back, except for what was changed since.")
    @Argument(help: "Id of the import, as --list shows it (the latest).") var id: String?
    @Option(help: "Name or id of the school, where there are several.") var school: String?
    @Flag(help: "Show what would be taken back and change nothing.") var dryRun = false
    @Flag(help: "List the imports that are on record.") var list = false
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let lines =
            list
            ? try await pastImports(school: school, flags.settings())
            : try await undoImport(id, school: school, dryRun: dryRun, flags.settings())
        for line in lines { Terminal.say(line) }
    }
}

struct Operator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Names the account that runs this server, or tells which it is.",
        discussion: """
            The operator reads the mails that this server has not sent; they hold links that open accounts of every \
            school. The first account ever made on a server is its operator until someone else is named.
            """)
    @Argument(help: "The account's e-mail address; without it nothing is changed.") var email: String?
    @OptionGroup var flags: SettingFlags

    func run() async throws { Terminal.say(try await serverOperator(email, flags.settings())) }
}

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks whether every school's file is whole, while the server runs.",
        discussion: "Ends with status 1 where one is not, and says what to do.")
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let report = try await checkSchools(flags.settings())
        for line in report.lines { Terminal.say(line) }
        if !report.isSound { throw ExitCode(1) }
    }
}

struct RemoveSecondFactor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-second-factor",
        abstract: "Takes a lost authenticator app and lost passkeys off an account; it keeps its password.",
        discussion: "Make sure that you know who asks. All sessions of the account end.")
    @Argument(help: "The account's e-mail address.") var email: String
    @OptionGroup var flags: SettingFlags

    func run() async throws { Terminal.say(try await removeSecondFactors(of: email, flags.settings())) }
}

struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Development: empties the data folder. Everything in it is lost.")
    @OptionGroup var flags: SettingFlags
    @Flag(help: "Needed, because nothing brings the data back.") var yes = false

    func run() async throws {
        let settings = try await flags.settings()
        guard yes else {
            throw ValidationError("Nothing was changed. Add --yes to empty \(settings.dataFolder.path).")
        }
        try resetData(settings)
        Terminal.say("\(settings.dataFolder.path) is empty.")
    }
}

/// Development: prints the app's privacy manifest. The data folder of the flags should be an empty one.
struct WritePrivacyManifest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy-manifest",
        abstract: "Development: prints \(PrivacyManifest.path) as the blocks declare it.", shouldDisplay: false)
    @OptionGroup var flags: SettingFlags

    func run() async throws { Terminal.write(try await PrivacyManifest.text(flags.settings())) }
}

/// The output of the command line.
enum Terminal {
    static func say(_ line: String) { write(line + "\n") }

    static func write(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // The reader of the output has closed it, so there is no place to report it.
        }
    }
}

extension String {
    fileprivate func replacingPort(_ old: Int, by new: Int) -> String {
        old == new ? self : replacingOccurrences(of: ":\(old)", with: ":\(new)")
    }
}
