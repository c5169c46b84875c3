import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit

/// The form for a new announcement: to the school, a group or a class, or to a course.
struct AnnouncementForm: Sendable {
    /// The path of the form for a course.
    static func path(forCourse courseId: UUID) -> String {
        "\(AnnouncementScreens.newPath)?\(Self.course)=\(courseId.text)"
    }

    /// The query parameter with the id of a course; `any` selects the first.
    private static let course = "course"

    let handlers: AnnouncementHandlers

    @Sendable
    func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let readers = try await AnnouncementReaders(handlers, request.context)
        let (classes, taught) = try await request.context.school.read { sql in
            func option(_ value: String, _ title: String, _ count: Int) -> PTField.Option {
                .init(
                    value: value,
                    title: words("announcements.audience", title, words("announcements.readers", count)))
            }
            let whole =
                try handlers.correspondents.caller(membership, in: sql).isAdmin
                ? [option("", words("announcements.wholeSchool"), readers.count(in: nil))]
                    + Announcement.Circle.allCases.map {
                        option($0.rawValue, words("announcements.circle.\($0.rawValue)"), readers.count(in: $0))
                    } : []
            return (
                whole
                    + (try handlers.classrooms(membership, in: sql).map {
                        option($0.id.text, $0.name, try readers.count(inClassroom: $0.id, sql))
                    }),
                try (handlers.courses?.courses(ledBy: membership, in: sql) ?? []).filter { !$0.isArchived }.map {
                    option($0.id.text, $0.name, try readers.count(inCourse: $0.id, sql))
                }
            )
        }
        guard !classes.isEmpty || !taught.isEmpty else {
            return .screen(
                Screen(
                    title: words("announcements.new"), back: AnnouncementScreens.path,
                    body: [
                        .empty(
                            PTEmptyState(
                                icon: .people, title: words("announcements.noClass"),
                                message: words("announcements.noClassTip")))
                    ]))
        }
        // A refused form shows the place that it was sent to.
        let wanted = request.refused?.typed["courseId"] ?? request.query[Self.course]
        let isForCourse = !taught.isEmpty && (wanted != nil || classes.isEmpty)
        let place =
            isForCourse
            ? PTField(
                .select(taught), name: "courseId", label: words("announcements.to"),
                value: taught.first { $0.value == wanted }?.value ?? taught[0].value)
            : PTField(
                .select(classes), name: "to", label: words("announcements.to"), value: classes[0].value)
        return .screen(
            Screen(
                title: words("announcements.new"), back: AnnouncementScreens.path,
                body: (classes.isEmpty || taught.isEmpty ? [] : [Self.segments(isForCourse: isForCourse, words)])
                    + [
                        .form(
                            request.form(
                                PublishAnnouncement.self, id: "announcement",
                                fields: [
                                    place,
                                    PTField(
                                        .text, name: "title", label: words("announcements.heading"),
                                        isRequired: true,
                                        maxLength: 120),
                                    PTField(
                                        .multiline, name: "text", label: words("announcements.text"),
                                        isRequired: true,
                                        maxLength: AnnouncementHandlers.textLimit),
                                ], submit: SubmitButton(title: words("announcements.publish")), style: .card))
                    ]))
    }

    private static func segments(isForCourse: Bool, _ words: Words) -> Component {
        .segments(
            PTSegmentedControl(
                label: words("announcements.to"),
                segments: [
                    .init(
                        title: words("announcements.toClass"), path: AnnouncementScreens.newPath,
                        isSelected: !isForCourse),
                    .init(
                        title: words("announcements.toCourse"),
                        path: "\(AnnouncementScreens.newPath)?\(course)=any", isSelected: isForCourse),
                ]))
    }
}
