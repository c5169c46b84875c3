import ArgumentParser
import Foundation
import ServerApp

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a school into one file, while the server runs.")
    @Argument(help: "Name or id of the school, where there are several.") var school: String?
    @Option(help: "The file to write; it must not be there yet.") var to: String
    @Option(help: "File whose first line is a passphrase to seal the backup with.") var passphraseFile: String?
    @OptionGroup var flags: SettingFlags

    func run() async throws {
        try await perform(
            .backup(school: school, to: URL(filePath: to), passphrase: Passphrase.read(passphraseFile)), flags)
    }
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings a backup back, while the server runs.",
        discussion: "Every byte is verified first. A school that is here already is not touched without --replace.")
    @Argument(help: "The backup.") var file: String
    @Option(help: "Restore as a new school of this name, beside the others.") var beside: String?
    @Flag(help: "Put it in the place of the school as it is now.") var replace = false
    @Option(help: "File whose first line is the backup's passphrase.") var passphraseFile: String?
    @OptionGroup var flags: SettingFlags

    func validate() throws {
        if beside != nil && replace { throw ValidationError("Choose --beside or --replace, not both.") }
    }

    func run() async throws {
        try await perform(
            .restore(
                URL(filePath: file), passphrase: Passphrase.read(passphraseFile), beside: beside, replace: replace),
            flags)
    }
}

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes a school to another data folder and closes it here.",
        discussion: "Accounts are found there by their address, or made. Here the school is deleted after 30 days.")
    @Argument(help: "Name or id of the school, where there are several.") var school: String?
    @Option(help: "The other data folder.") var to: String
    @OptionGroup var flags: SettingFlags

    func run() async throws { try await perform(.move(school: school, to: URL(filePath: to)), flags) }
}

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes all data of a school as CSV files in a zip, while the server runs.")
    @Argument(help: "Name or id of the school, where there are several.") var school: String?
    @Option(help: "The zip to write; it must not be there yet.") var to: String
    @OptionGroup var flags: SettingFlags

    func run() async throws { try await perform(.export(school: school, to: URL(filePath: to)), flags) }
}

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Closes a school and deletes it after 30 days.",
        discussion: "A school that is closed is deleted right away with --now --yes.")
    @Argument(help: "Name or id of the school, where there are several.") var school: String?
    @Flag(help: "Delete it right away; nothing but a backup brings it back.") var now = false
    @Flag(help: "The second yes that --now needs.") var yes = false
    @Flag(help: "Open a closed school again.") var callBack = false
    @OptionGroup var flags: SettingFlags

    func validate() throws {
        if now && !yes { throw ValidationError("Nothing was changed. Add --yes to delete the school right away.") }
        if now && callBack { throw ValidationError("Choose --now or --call-back, not both.") }
    }

    func run() async throws {
        try await perform(callBack ? .callBack(school: school) : .delete(school: school, atOnce: now), flags)
    }
}

private func perform(_ task: SchoolFileTask, _ flags: SettingFlags) async throws {
    for line in try await ServerApp.run(task, flags.settings()) { Terminal.say(line) }
}

/// Reads a passphrase from a file, because other users of the machine can see the arguments of a command.
private enum Passphrase {
    static func read(_ path: String?) throws -> String? {
        guard let path else { return nil }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        guard line.count >= 12 else {
            throw ValidationError("The passphrase in \(path) must have at least 12 characters.")
        }
        return line
    }
}
