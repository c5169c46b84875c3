public import DesignSystem
import Domain
public import Foundation

extension ScreenRequest {
    /// Entries of the change log that are looked through for who saved last; a clash is always about a recent one.
    private static let lookedThrough = 500

    /// What somebody else saved while a form was open, with their name and the time: it stands above the form, which keeps
    /// the person's own text, so that both can be joined. Nothing where the form was not refused for that.
    /// - Parameters:
    ///   - code: of the refusal: `observation.changed`.
    ///   - kinds: kinds of changes that save the text: `observation.updated`.
    ///   - id: what the text belongs to, as the payloads of these changes name it.
    ///   - text: as it is stored now.
    public func savedMeanwhile(
        _ code: String, _ kinds: [String], of id: UUID, _ text: String
    ) async throws -> [Component] {
        guard refused?.problem.code == code else { return [] }
        let people = names.first { $0.sort == "person" }
        let (last, name) = try await context.school.read { sql in
            let last = try ChangeLog.latest(kinds: kinds, limit: Self.lookedThrough, in: sql)
                .first { $0.change.payload.values.contains(id.text) }
            return (last, try last?.actorId.flatMap { try people?.find([$0], sql)[$0] })
        }
        let time = try last.map { words.dateAndTime($0.at, in: try context.membership.timeZone) }
        let title =
            if let name, let time { words("form.savedBy", name, time) } else { words("form.savedMeanwhile") }
        return [.section(PTSection(title: title, body: [.card(PTCard(body: [.text(PTText(text))]))]))]
    }
}
