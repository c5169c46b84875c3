import Domain
public import Foundation
public import ShellModel

/// A course, an assignment or a quiz that the person can open, for the search of the device.
public struct SearchEntry: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable { case course, assignment, quiz }
    public let kind: Kind
    public let id: UUID
    public let title: String
    /// The name of the course to which an assignment or a quiz belongs; the subject of a course.
    public let detail: String

    public init(kind: Kind, id: UUID, title: String, detail: String) {
        self.kind = kind
        self.id = id
        self.title = title
        self.detail = detail
    }
}

extension AppStore {
    /// The most courses whose work is read: an administrator sees all courses of the school.
    private static var courseLimit: Int { 40 }

    private struct Course: Codable, Sendable {
        let id: UUID
        let name: String
        let subject: String
    }

    private struct Work: Codable, Sendable {
        let id: UUID
        let title: String
    }

    /// Reads what the person's widgets show. Throws `StoreError`.
    public func widget() async throws -> SharedWidgetData {
        try await read(SharedWidgetData.self, at: "/api/v1/widget")
    }

    /// Reads the courses, assignments and quizzes that the person can open; none if the role has no courses. Throws
    /// `StoreError`.
    public func searchEntries() async throws -> [SearchEntry] {
        var entries: [SearchEntry] = []
        for course in try await items(Course.self, "/api/v1/courses").prefix(Self.courseLimit) {
            entries.append(SearchEntry(kind: .course, id: course.id, title: course.name, detail: course.subject))
            let path = "/api/v1/courses/\(course.id.text)"
            for (kind, name) in [(SearchEntry.Kind.assignment, "assignments"), (.quiz, "quizzes")] {
                entries += try await items(Work.self, "\(path)/\(name)").map {
                    SearchEntry(kind: kind, id: $0.id, title: $0.title, detail: course.name)
                }
            }
        }
        return entries
    }

    /// The items of a list; none if the person's role does not see it, or the school does not have the block.
    private func items<Item: Codable & Sendable>(_ type: Item.Type, _ path: String) async throws -> [Item] {
        do {
            return try await read(APIPage<Item>.self, at: path).items
        } catch StoreError.refused(let refusal) where [403, 404].contains(refusal.status) {
            return []
        }
    }
}
