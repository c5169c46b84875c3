import Domain
public import FeatureKit

/// The reason why a school cannot be backed up, restored or moved, with its sentence.
public enum BackupRefusal: Error, Sendable, ProblemConvertible {
    /// The file is not a backup of a school.
    case foreign
    /// The backup is truncated or altered.
    case damaged
    /// The backup was made by a newer program.
    case newer
    /// The backup is encrypted, and the passphrase is missing or wrong.
    case passphraseNeeded, passphraseWrong
    /// The disk is too full for the backup.
    case noSpace
    /// A file exists at the place where the backup would be written.
    case exists
    /// The school exists, and replacing it was not requested.
    case schoolExists
    /// The backup is of another school than the one to replace.
    case otherSchool
    /// The restored school would have no super admin.
    case noSuperAdmin
    /// The upload is larger than the limit.
    case tooLarge
    /// The backup has tables of feature blocks that this server does not run.
    case unknownBlocks([String])
    /// The move has failed, and the school is open here as before.
    case notMoved
    /// The move has failed, and the school stays closed because it could not be reopened.
    case staysClosed
    /// The school is closed here, and the other data folder has a school with its id and other content.
    case movedInPart

    public var problem: Problem {
        switch self {
        case .foreign: Problem(422, "records.foreign")
        case .damaged: Problem(422, "records.damaged")
        case .newer: Problem(422, "records.newer")
        case .passphraseNeeded: Problem(422, "records.passphraseNeeded")
        case .passphraseWrong: Problem(422, "records.passphraseWrong")
        case .noSpace: Problem(507, "records.noSpace", retryAfter: 60)
        case .exists: Problem(409, "records.exists")
        case .schoolExists: Problem(409, "records.schoolExists")
        case .otherSchool: Problem(422, "records.otherSchool")
        case .noSuperAdmin: Problem(422, "records.nobodyLeft")
        case .tooLarge: Problem(413, "records.tooLarge")
        case .unknownBlocks(let names):
            Problem(422, "records.unknownBlocks", [.text(names.joined(separator: ", "))])
        case .notMoved: Problem(409, "records.notMoved")
        case .staysClosed: Problem(507, "records.staysClosed")
        case .movedInPart: Problem(409, "records.movedInPart")
        }
    }

    init(_ fault: ArchiveFault) {
        self =
            switch fault {
            case .cannotWrite: .noSpace
            case .exists: .exists
            case .foreign: .foreign
            case .damaged: .damaged
            case .newer: .newer
            case .passphraseNeeded: .passphraseNeeded
            case .passphraseWrong: .passphraseWrong
            }
    }

    init(_ fault: SchoolFileFault) {
        self =
            switch fault {
            case .damaged: .damaged
            case .newer: .newer
            case .foreign: .foreign
            case .unknownBlocks(let names): .unknownBlocks(names)
            }
    }

    /// Runs `work` and translates the faults of its ports.
    static func translating<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as ArchiveFault {
            throw BackupRefusal(fault)
        } catch let fault as SchoolFileFault {
            throw BackupRefusal(fault)
        } catch DatabaseFault.cannotWrite {
            throw BackupRefusal.noSpace
        } catch is DecodingError {
            throw BackupRefusal.damaged
        }
    }
}
