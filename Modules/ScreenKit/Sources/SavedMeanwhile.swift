public import DesignSystem
import Domain
import FeatureKit
public import Foundation

extension ScreenRequest {
    /// The number of log entries that are searched for the person who saved.
    private static let searchedEntries = 500

    /// Returns a section with the text that another person saved while this form was open, their name and the time.
    ///
    /// Show it above the form, which still has the reader's own text. Empty unless the form was refused with `code`.
    /// - Parameters:
    ///   - code: the code of the refusal, such as `observation.changed`.
    ///   - kinds: the kinds of changes that save the text, such as `observation.updated`.
    ///   - id: the entity that the text belongs to, as these changes name it in their payload.
    ///   - text: the text that is stored now.
    public func savedMeanwhile(
        _ code: String, _ kinds: [String], of id: UUID, _ text: String
    ) async throws -> [Component] {
        guard refused?.problem.code == code else { return [] }
        let people = names.first { $0.sort == "person" }
        let (last, name) = try await context.school.read { sql in
            let last = try ChangeLog.latest(kinds: kinds, limit: Self.searchedEntries, in: sql)
                .first { $0.change.payload.values.contains(id.text) }
            return (last, try last?.actorId.flatMap { try people?.find([$0], sql)[$0] })
        }
        let time = try last.map { words.dateAndTime($0.at, in: try context.membership.timeZone) }
        let title =
            if let name, let time { words("form.savedBy", name, time) } else { words("form.savedMeanwhile") }
        return [.section(PTSection(title: title, body: [.card(PTCard(body: [.text(PTText(text))]))]))]
    }
}
