import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("Archives")
struct ArchiveTests {
    private let folder: TemporaryFolder
    private let archives = FileArchives()

    init() throws { folder = try TemporaryFolder() }

    private let passphrase = "eight words that nobody guesses"

    private var subject: ArchiveSubject {
        ArchiveSubject(
            schoolId: UUID(uuidString: "01900000-0000-7000-8000-000000000001")!, schoolName: "Maple",
            madeAt: Date(timeIntervalSince1970: 1_793_631_600))
    }

    /// Two parts, one longer than a chunk and not a multiple of any block size.
    private var parts: [ArchivePart] {
        let long = Data((0..<150_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        return [ArchivePart("directory.json", .bytes(Data("{}".utf8))), ArchivePart("school.sqlite", .bytes(long))]
    }

    private func make(_ name: String = "a.pinktower", passphrase: String? = nil) async throws -> URL {
        let file = folder.file(name)
        try await archives.pack(parts, about: subject, into: file, passphrase: passphrase)
        return file
    }

    private func target() throws -> URL {
        let url = folder.file(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    private func fault(_ file: URL, passphrase: String? = nil) async -> ArchiveFault? {
        do {
            _ = try await archives.unpack(file, into: try target(), passphrase: passphrase)
            return nil
        } catch {
            return error as? ArchiveFault
        }
    }

    @Test(
        "unpacking an archive restores every byte, encrypted or not",
        arguments: [true, false])
    func comesBack(isSealed: Bool) async throws {
        let file = try await make(passphrase: isSealed ? passphrase : nil)
        let into = try target()
        let manifest = try await archives.unpack(file, into: into, passphrase: isSealed ? passphrase : nil)
        #expect(manifest.subject == subject && manifest.parts.map(\.name) == parts.map(\.name))
        for part in parts {
            guard case .bytes(let bytes) = part.content else { continue }
            #expect(try Data(contentsOf: into.appending(path: part.name)) == bytes)
        }
        let isReadable = try Data(contentsOf: file).range(of: Data("Maple".utf8)) != nil
        #expect(isReadable == !isSealed, "a sealed file tells nothing, an open one can be looked into")
    }

    @Test("an unencrypted backup is a tar file that the system's tar can list")
    func isTar() async throws {
        let file = try await make()
        let tar = Process()
        let output = Pipe()
        tar.executableURL = URL(filePath: "/bin/tar")
        tar.arguments = ["tf", file.path]
        tar.standardOutput = output
        try tar.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        #expect(text == "manifest.json\nmanifest.sha256\ndirectory.json\nschool.sqlite\n")
    }

    @Test("a change of any byte of a backup is noticed", arguments: [true, false])
    func noticesEveryByte(isSealed: Bool) async throws {
        let file = try await make(passphrase: isSealed ? passphrase : nil)
        let sound = try Data(contentsOf: file)
        var random = SystemRandomNumberGenerator()
        // Deriving a key takes a quarter of a second, so the encrypted file is tried at fewer bytes.
        let structure =
            isSealed
            ? Array(0..<43).shuffled().prefix(4) + [sound.count - 1]
            : Array(0..<2200) + [sound.count - 1, sound.count - 1100]
        let places =
            structure + (0..<(isSealed ? 6 : 200)).map { _ in Int.random(in: 0..<sound.count, using: &random) }
        for place in places {
            var broken = sound
            broken[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let damaged = folder.file("damaged")
            try broken.write(to: damaged)
            let fault = await fault(damaged, passphrase: isSealed ? passphrase : nil)
            #expect(fault != nil, "a changed bit at \(place) of \(sound.count) went unnoticed")
        }
    }

    @Test(
        "a backup that was cut short or lengthened is damaged", arguments: [true, false])
    func noticesEnds(isSealed: Bool) async throws {
        let secret = isSealed ? passphrase : nil
        let sound = try Data(contentsOf: try await make(passphrase: secret))
        let file = folder.file("cut")
        for length in [sound.count - 1, sound.count - 512, sound.count / 2, 65_636, 600, 40] where length > 0 {
            try sound.prefix(length).write(to: file)
            #expect(await fault(file, passphrase: secret) == .damaged, "cut to \(length)")
        }
        try (sound + Data([0])).write(to: file)
        #expect(await fault(file, passphrase: secret) == .damaged)
        // A chunk removed from the middle, and two chunks exchanged.
        if isSealed {
            let chunk = 64 * 1024 + 16
            try (sound.prefix(43) + sound.dropFirst(43 + chunk)).write(to: file)
            #expect(await fault(file, passphrase: secret) == .damaged)
        }
    }

    @Test("a foreign file, a missing passphrase and a wrong one have their own faults")
    func distinguishesFaults() async throws {
        let sealed = try await make("sealed", passphrase: passphrase)
        #expect(await fault(sealed) == .passphraseNeeded)
        #expect(await fault(sealed, passphrase: "another passphrase altogether") == .passphraseWrong)
        let foreign = folder.file("foreign")
        for text in ["", "PK\u{3}\u{4}", "SQLite format 3\0", String(repeating: "x", count: 5000)] {
            try Data(text.utf8).write(to: foreign)
            #expect(await fault(foreign) == .foreign, "\(text.prefix(20))")
        }
        #expect(await fault(folder.file("nothing")) == .foreign)
    }

    @Test("a full disk throws a fault and leaves no file behind")
    func survivesFullDisk() async throws {
        let small = FileArchives(capacity: 100_000)
        let file = folder.file("never")
        await #expect(throws: ArchiveFault.cannotWrite) {
            try await small.pack(parts, about: subject, into: file, passphrase: nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        await #expect(throws: ArchiveFault.cannotWrite) {
            try await archives.pack(parts, about: subject, into: folder.file("no/such/folder"), passphrase: nil)
        }
    }

    @Test("an existing file is never overwritten")
    func keepsExisting() async throws {
        let file = folder.file("mine")
        try Data("mine".utf8).write(to: file)
        await #expect(throws: ArchiveFault.exists) {
            try await archives.pack(parts, about: subject, into: file, passphrase: nil)
        }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test(
        "names that lead out of the folder are refused",
        arguments: ["../x", "/etc/x", "a/../../x", ".x", "a//b", ""])
    func refusesEscapingNames(name: String) async throws {
        #expect(!Tar.isPlain(name))
        await #expect(throws: ArchiveFault.cannotWrite) {
            try await archives.pack(
                [ArchivePart(name, .bytes(Data()))], about: subject, into: folder.file("b"), passphrase: nil)
        }
    }

    @Test("other programs can open a ZIP file and find its parts")
    func zips() async throws {
        let file = folder.file("e.zip")
        try await archives.zip(parts, into: file)
        let python = Process()
        let output = Pipe()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = [
            "python3", "-c",
            "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), [(i.filename,i.file_size) for i in z.infolist()])",
            file.path,
        ]
        python.standardOutput = output
        try python.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        python.waitUntilExit()
        #expect(text == "None [('directory.json', 2), ('school.sqlite', 150001)]\n")
    }

    @Test("a tar header keeps large sizes")
    func knowsLargeSizes() throws {
        for size in [0, 511, 1 << 33 - 1, 1 << 33, 1 << 40] {
            #expect(Tar.entry(Tar.header("school.sqlite", size: size))?.size == size)
        }
    }
}
