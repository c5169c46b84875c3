import Domain
public import FeatureKit

/// Why a school cannot be taken home or brought back; each has its sentence.
public enum KeepingRefusal: Error, Sendable, ProblemConvertible {
    /// No backup of ours.
    case foreign
    /// Cut short or altered.
    case damaged
    /// Made by a newer program.
    case newer
    case passphraseNeeded, passphraseWrong
    /// The disk is full.
    case noSpace
    /// The target file exists.
    case exists
    /// The school is there already, and nobody said that it may be replaced.
    case schoolExists
    /// The backup is of another school than the one to be replaced.
    case otherSchool
    /// Nobody would be able to open the school afterwards.
    case nobodyLeft
    case tooLarge
    /// The backup has tables of blocks that do not run here.
    case unknownBlocks([String])
    /// A move has failed, and the school is open here as before.
    case notMoved
    /// A move has failed, and the school could not be opened again.
    case staysClosed
    /// The school is closed here, and the other folder has a school of the same id with other content.
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
        case .nobodyLeft: Problem(422, "records.nobodyLeft")
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

    /// Runs work and gives the faults of its ports their sentence.
    static func translating<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as ArchiveFault {
            throw KeepingRefusal(fault)
        } catch let fault as SchoolFileFault {
            throw KeepingRefusal(fault)
        } catch DatabaseFault.cannotWrite {
            throw KeepingRefusal.noSpace
        } catch is DecodingError {
            throw KeepingRefusal.damaged
        }
    }
}
