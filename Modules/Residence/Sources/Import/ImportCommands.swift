import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct PreviewResidenceImport: Command {
    static let contract = Contract(
        "residence.previewImport", "/api/v1/residences/{pgId}/import/preview", access: .member(.runResidence),
        replay: .natural, bodyLimit: ResidenceFile.limits.fileBytes + 64 * 1024,
        summary: """
            Compares a CSV file of rooms and residents with a residence, and reports all changes and faults. Stores \
            the file for a day and changes nothing.
            """)
    typealias Result = ResidenceImportReport

    let pgId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        // The residence is checked before the file, so that a caller who does not run it learns nothing.
        files = fields.optionalFiles("file", max: 1)
    }
}

struct ImportResidence: Command {
    static let contract = Contract(
        "residence.import", "/api/v1/residences/{pgId}/import", access: .member(.runResidence),
        summary: """
            Makes the changes that a preview showed. Makes none if the file has faults, or if the residence has \
            changed since; then the answer is a new preview.
            """)
    typealias Result = ResidenceImportReport

    let pgId: UUID
    let uploadId: UUID
    /// The `plan` of the preview.
    let plan: String

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        uploadId = fields.id("uploadId")
        plan = fields.optionalText("plan", max: 200_000) ?? ""
    }
}

struct UndoResidenceImport: Command {
    static let contract = Contract(
        "residence.undoImport", "/api/v1/residences/{pgId}/imports/{importId}/undo", access: .member(.runResidence),
        replay: .natural,
        summary: "Takes back what an import did, except for what was changed since.")
    typealias Result = ResidenceUndoReport

    let pgId: UUID
    let importId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        importId = fields.id("importId")
    }
}

struct ExportResidence: Query {
    static let contract = Contract(
        "residence.export", "/api/v1/residences/{pgId}/export", access: .member(.runResidence),
        seen: Seen("residence.exported", "pgId", isExport: true), fileName: "residence.csv",
        summary: "The rooms and residents of a residence as a CSV file that can be imported again.")
    typealias Result = FileBody

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

/// The changes of a preview or an import, or the faults of its file.
struct ResidenceImportReport: Codable, Sendable, Hashable {
    /// A change or a fault; its line is 0 if it is about the file as a whole.
    struct Line: Codable, Sendable, Hashable {
        let line: Int
        let sentence: String
    }
    let uploadId: UUID
    let plan: String
    let isApplied: Bool
    /// Whether the residence has changed since the preview, in which case nothing was changed.
    let isOutdated: Bool
    let changes: [Line]
    let faults: [Line]
    /// The id for undoing the import; absent if nothing was changed.
    let importId: UUID?
}

/// What the undoing of an import changed, and what stays because it was changed since.
struct ResidenceUndoReport: Codable, Sendable, Hashable {
    let undone: [String]
    let kept: [String]
}

extension ResidenceFile.Finding {
    func sentence(_ words: Words) -> String {
        words.text("residence.import.fault.\(code)", arguments.map { $0 as any WordsArgument })
    }

    func report(_ words: Words) -> ResidenceImportReport.Line { .init(line: line, sentence: sentence(words)) }
}

/// The commands of the import of rooms and residents, and the export.
struct ImportHandlers: Sendable {
    let residents: ResidentHandlers

    var queries: [QueryRegistration] {
        [
            .handle(ExportResidence.self) { query, context in
                let (membership, today, words) = (try context.membership, context.today, context.words)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    let text = try export(residence, membership.organization.id, on: today, words, in: sql)
                    return FileBody(Array(text.utf8))
                }
            }
        ]
    }

    private func export(
        _ residence: Residence, _ orgId: UUID, on today: Day, _ words: Words, in sql: any SQLReading
    ) throws -> String {
        let rooms = try RoomRepository.rooms(of: residence.id, on: today, in: sql)
        let stays = try StayRepository.stays(of: residence.id, on: today, in: sql)
        let people = try residents.people.people(stays.map(\.studentId), of: orgId, in: sql)
        let rows = stays.compactMap { stay in
            people[stay.studentId].map { person in
                (
                    stay.roomId,
                    ResidenceFile.Row(
                        line: 0, number: person.number, family: person.name.family, given: person.name.given,
                        email: person.email, firstDay: stay.firstDay)
                )
            }
        }.sorted { ($0.1.family ?? "", $0.1.given ?? "") < ($1.1.family ?? "", $1.1.given ?? "") }
        return ResidenceFile.text(
            of: residence.id,
            rooms: rooms.map { room in (RoomValues(room), rows.filter { $0.0 == room.id }.map(\.1)) },
            withoutRoom: rows.filter { $0.0 == nil }.map(\.1), words: words)
    }

    var commands: [CommandRegistration] {
        [
            .handle(PreviewResidenceImport.self) { command, context in
                let membership = try context.membership
                let residence = try ResidenceAccess.residence(command.pgId, runBy: membership, in: context.sql)
                guard let upload = command.files.first else { throw Problem.invalid("file", "required") }
                let (id, file) = (context.newId(), ResidenceFile(try upload.content.bytes()))
                try ImportRepository.replace(
                    id, file, of: membership.personId, for: residence.id, at: context.now, in: context.sql)
                context.destination = ImportScreens.path(residence.id, upload: id)
                return report(id, try plan(file, residence, context), context)
            },
            .handle(ImportResidence.self) { command, context in
                let membership = try context.membership
                let residence = try ResidenceAccess.residence(command.pgId, runBy: membership, in: context.sql)
                guard
                    let file = try ImportRepository.file(
                        command.uploadId, of: membership.personId, for: residence.id, at: context.now,
                        in: context.sql)
                else { throw Problem(410, "residence.uploadGone") }
                let plan = try plan(file, residence, context)
                guard plan.faults.isEmpty, plan.fingerprint == command.plan else {
                    context.destination = ImportScreens.path(
                        residence.id, upload: command.uploadId, isOutdated: true)
                    return report(command.uploadId, plan, context, isOutdated: true)
                }
                try apply(plan, to: residence, context)
                let importId = context.newId()
                if !plan.steps.isEmpty {
                    try ImportRepository.record(
                        importId, plan.steps, by: membership.personId, for: residence.id, at: context.now,
                        in: context.sql)
                    publish("residence.imported", residence.id, &context)
                }
                try ImportRepository.remove(of: membership.personId, in: context.sql)
                context.feedback = Feedback(
                    plan.steps.isEmpty ? .toast : .burst,
                    context.words("residence.said.imported", plan.steps.count))
                context.destination = ResidenceScreens.rooms(residence.id)
                return report(
                    command.uploadId, plan, context, isApplied: true, importId: plan.steps.isEmpty ? nil : importId)
            },
            .handle(UndoResidenceImport.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                guard
                    let past = try ImportRepository.imports(of: residence.id, in: context.sql)
                        .first(where: { $0.id == command.importId })
                else { throw Problem.notFound }
                let report =
                    try past.undoneAt == nil ? undo(past, of: residence, &context) : .init(undone: [], kept: [])
                context.feedback = Feedback(.toast, context.words("residence.said.undone", report.undone.count))
                return report
            },
        ]
    }

    func plan(_ file: ResidenceFile, _ residence: Residence, _ context: CommandContext) throws -> ImportPlan {
        ImportPlan(
            file,
            try ImportRepository.school(
                residence, of: context.membership.organization.id, on: context.today, in: context.sql))
    }

    private func report(
        _ id: UUID, _ plan: ImportPlan, _ context: CommandContext, isApplied: Bool = false,
        isOutdated: Bool = false,
        importId: UUID? = nil
    ) -> ResidenceImportReport {
        ResidenceImportReport(
            uploadId: id, plan: plan.fingerprint, isApplied: isApplied, isOutdated: isOutdated,
            changes: plan.steps.map { .init(line: $0.line, sentence: $0.sentence(context.words)) },
            faults: plan.faults.map { $0.report(context.words) }, importId: importId)
    }

    // MARK: - Applying

    private func apply(_ plan: ImportPlan, to residence: Residence, _ context: CommandContext) throws {
        for step in plan.steps where step.kind == .roomAdded || step.kind == .roomChanged {
            guard let values = step.room else { continue }
            try save(values, of: residence.id, context)
        }
        // All who move leave their rooms before anyone takes a bed, so that two residents can swap.
        let moves = plan.steps.filter { $0.kind == .assigned }
        for step in moves {
            guard let id = step.studentId, let stay = try StayRepository.open(of: id, in: context.sql) else {
                continue
            }
            try StayRepository.end(stay, on: max(context.today, stay.firstDay), in: context.sql)
        }
        let rooms = try rooms(of: residence.id, context)
        for step in plan.steps where step.kind == .movedIn || step.kind == .assigned {
            guard let id = step.studentId else { continue }
            let room = step.room.flatMap { rooms[RoomRepository.key($0.number)] }
            let firstDay = step.firstDay ?? context.today
            guard
                try step.kind == .assigned
                    || StayRepository.history(of: id, in: context.sql).allSatisfy({
                        $0.leftOn.map { $0 <= firstDay } ?? false
                    })
            else { throw Problem(409, "residence.importOverlaps", [.text(step.name ?? ""), .number(step.line)]) }
            try RoomMove.begin(
                ResidenceStay(
                    id: context.newId(), pgId: residence.id, studentId: id, roomId: room?.id, firstDay: firstDay),
                in: room, context)
            guard step.kind == .movedIn else { continue }
            let former = try ResidentRepository.resident(id, in: context.sql)
            try ResidentRepository.save(
                Resident(
                    personId: id, pgId: residence.id, status: .active, phone: former?.phone,
                    isOfAge: former?.isOfAge ?? false, allowsLocation: former?.allowsLocation ?? false),
                at: context.now, in: context.sql)
        }
    }

    private func rooms(of residenceId: UUID, _ context: CommandContext) throws -> [String: Room] {
        try RoomRepository.rooms(of: residenceId, on: context.today, in: context.sql)
            .reduce(into: [:]) { $0[RoomRepository.key($1.number)] = $1 }
    }

    /// Stores a room's values in the room of that number, or in a new one.
    private func save(_ values: RoomValues, of residenceId: UUID, _ context: CommandContext) throws {
        let former = try rooms(of: residenceId, context)[RoomRepository.key(values.number)]
        try RoomRepository.save(
            Room(
                id: former?.id ?? context.newId(), pgId: residenceId, number: values.number, type: values.type,
                bedCount: values.beds, details: values.details, createdAt: former?.createdAt ?? context.now,
                updatedAt: context.now), in: context.sql)
    }

    // MARK: - Undoing

    /// Takes back each change, the latest first, if it is still as the import left it.
    private func undo(
        _ past: PastResidenceImport, of residence: Residence, _ context: inout CommandContext
    ) throws -> ResidenceUndoReport {
        var (undone, kept): ([String], [String]) = ([], [])
        for step in past.steps.reversed() {
            let isUndone: Bool =
                switch step.kind {
                case .movedIn: try undoMoveIn(step, of: residence, context)
                case .assigned: try undoMove(step, of: residence, &context)
                case .roomChanged, .roomAdded: try undoRoom(step, of: residence, context)
                }
            if isUndone {
                undone.append(step.sentence(context.words))
            } else {
                kept.append(step.sentence(context.words))
            }
        }
        try ImportRepository.markUndone(past.id, at: context.now, in: context.sql)
        publish("residence.importUndone", residence.id, &context)
        return ResidenceUndoReport(undone: undone, kept: kept)
    }

    /// The resident's stay, if it is still the one that the import began.
    private func stay(_ step: ImportStep, _ rooms: [String: Room], _ context: CommandContext) throws
        -> ResidenceStay?
    {
        guard let id = step.studentId, let stay = try StayRepository.open(of: id, in: context.sql),
            stay.roomId == step.room.flatMap({ rooms[RoomRepository.key($0.number)]?.id })
        else { return nil }
        return stay
    }

    private func undoMoveIn(_ step: ImportStep, of residence: Residence, _ context: CommandContext) throws -> Bool {
        let timeZone = try context.membership.timeZone
        guard let stay = try stay(step, rooms(of: residence.id, context), context), stay.firstDay == step.firstDay,
            try PassageRepository.log(of: stay.studentId, in: context.sql).passages
                .allSatisfy({ $0.timestamp < stay.firstDay.start(in: timeZone) })
        else { return false }
        // A stay that ends on its first day never was.
        try StayRepository.end(stay, on: stay.firstDay, in: context.sql)
        if step.isKnown, var resident = try ResidentRepository.resident(stay.studentId, in: context.sql) {
            resident.status = .movedOut
            try ResidentRepository.save(resident, at: context.now, in: context.sql)
        } else {
            try ResidentRepository.delete(stay.studentId, in: context.sql)
        }
        return true
    }

    private func undoMove(
        _ step: ImportStep, of residence: Residence, _ context: inout CommandContext
    ) throws -> Bool {
        let rooms = try rooms(of: residence.id, context)
        guard let stay = try stay(step, rooms, context) else { return false }
        let former = step.former.flatMap { rooms[RoomRepository.key($0.number)] }
        if let former {
            let taken = try StayRepository.mostResidents(ofRoom: former.id, from: context.today, in: context.sql)
            guard taken < former.bedCount else { return false }
        }
        try RoomMove.move(stay, to: former, &context)
        return true
    }

    private func undoRoom(_ step: ImportStep, of residence: Residence, _ context: CommandContext) throws -> Bool {
        guard let values = step.room,
            let room = try rooms(of: residence.id, context)[RoomRepository.key(values.number)],
            RoomValues(room) == values
        else { return false }
        let taken = try StayRepository.mostResidents(ofRoom: room.id, from: context.today, in: context.sql)
        guard let former = step.former else {
            guard taken == 0 else { return false }
            try RoomRepository.delete(room.id, in: context.sql)
            return true
        }
        guard former.beds >= taken else { return false }
        try save(former, of: residence.id, context)
        return true
    }

    private func publish(_ kind: String, _ residenceId: UUID, _ context: inout CommandContext) {
        context.record(
            Change(
                kind, topics: [ResidenceTopic.list, ResidenceTopic.residence(residenceId)],
                audience: [.wardens(of: residenceId)] + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": residenceId.text], reshapesAudience: true))
    }
}
