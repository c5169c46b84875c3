import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages on which a guide writes texts for a family and sees what is shared.
struct TextScreens: Sendable {
    let students: any StudentService
    let history: any ChildHistory
    let reader: ChildReader

    var routes: [ScreenRoute] {
        [
            route("/summary") { .screen(try await summary($0)) },
            route("/texts/{textId}") { .screen(try await text($0)) },
            route("/share/observation/{observationId}") { .screen(try await observation($0)) },
        ]
    }

    private func route(
        _ rest: String, _ make: @escaping @Sendable (ScreenRequest) async throws -> ScreenAnswer
    ) -> ScreenRoute {
        ScreenRoute(
            "/students/{studentId}\(rest)", access: .member(.shareWithFamilies), tab: "/homeroom",
            seen: Seen("student.seen", "studentId"), make)
    }

    // MARK: - Summary

    private func summary(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let id = try request.id("studentId")
        let membership = try request.context.membership
        let span = Span(rawValue: request.query["span"] ?? "") ?? .week
        let language = Language(rawValue: request.query["language"] ?? "") ?? words.language
        let today = request.context.today
        let (student, summaryText) = try await request.context.school.read { sql in
            let student = try students.student(id, visibleTo: membership, in: sql)
            let writer = try reader.writer(
                for: student, from: span.first(until: today), through: today, language,
                timeZone: membership.timeZone, in: sql)
            return (student, writer.summary())
        }
        let here = "/students/\(id.text)/summary"
        return Screen(
            title: words("insights.summary"), subtitle: student.displayName, back: "/students/\(id.text)",
            live: [Topics.student(id)],
            body: [
                .segments(
                    PTSegmentedControl(
                        label: words("insights.span"),
                        segments: Span.allCases.map {
                            .init(
                                title: words("insights.span.\($0.rawValue)"),
                                path: "\(here)?span=\($0.rawValue)&language=\(language.rawValue)",
                                isSelected: $0 == span)
                        })),
                .segments(
                    PTSegmentedControl(
                        label: words("insights.language"),
                        segments: Language.allCases.map {
                            .init(
                                title: words("insights.language.\($0.rawValue)"),
                                path: "\(here)?span=\(span.rawValue)&language=\($0.rawValue)",
                                isSelected: $0 == language)
                        })),
                .card(PTCard(label: words("insights.summary"), body: [.text(PTText(summaryText.text))])),
                .text(PTText(words("insights.summaryTip"), role: .note)),
                .button(
                    PTButton(
                        title: words("insights.editSummary"), icon: .edit,
                        action: .perform(
                            request.call(
                                DraftSummary.self, ["studentId": id.text],
                                fields: ["span": span.rawValue, "language": language.rawValue])))),
            ])
    }

    // MARK: - One observation

    private func observation(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let (id, observationId) = (try request.id("studentId"), try request.id("observationId"))
        let membership = try request.context.membership
        let (student, found, others) = try await request.context.school.read { sql in
            let student = try students.student(id, visibleTo: membership, in: sql)
            guard
                let found = try history.observation(observationId, timeZone: membership.timeZone, in: sql),
                found.studentId == student.id
            else { throw Problem.notFound }
            return (student, found, try reader.othersNames(of: student, in: sql))
        }
        return Screen(
            title: words("insights.shareObservation"), subtitle: student.displayName,
            back: "/students/\(id.text)/observations/\(observationId.text)", live: [Topics.student(id)],
            body: TextParts(request: request).namesBanner(found.content, others) + [
                .text(PTText(words("insights.shareObservationTip"), role: .note)),
                .card(PTCard(label: words.longDate(found.day), body: [.text(PTText(found.content))])),
                .button(
                    PTButton(
                        title: words("insights.editObservation"), icon: .edit,
                        action: .perform(
                            request.call(
                                DraftObservation.self,
                                ["studentId": id.text, "observationId": observationId.text])))),
            ])
    }

    // MARK: - A text

    private func text(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let (id, textId) = (try request.id("studentId"), try request.id("textId"))
        let membership = try request.context.membership
        let (student, text, item, others, photos) = try await request.context.school.read { sql in
            let student = try students.student(id, visibleTo: membership, in: sql)
            guard let text = try FamilyTextRepository.text(textId, in: sql), text.studentId == student.id else {
                throw Problem.notFound
            }
            return (
                student, text, try SharedItemRepository.shared([textId], in: sql)[textId],
                try reader.othersNames(of: student, in: sql),
                try text.observationId.map { try history.photos(ofObservation: $0, in: sql) } ?? []
            )
        }
        let parts = TextParts(request: request)
        let isEditing = request.refused != nil
        var body: [Component] = []
        if let item {
            body.append(
                .banner(
                    PTBanner(
                        tone: item.version == text.version ? .success : .warning, icon: .people,
                        title: words(
                            item.version == text.version ? "insights.parentsSee" : "insights.parentsSeeOlder",
                            words.dateAndTime(item.sharedAt, in: membership.timeZone)))))
            if item.version != text.version { body.append(parts.preview(item, student.calledName)) }
        }
        if text.isApproved && !isEditing {
            body += parts.namesBanner(text.text, others)
            if let item, item.version == text.version {
                body.append(parts.preview(item, student.calledName))
            } else {
                let preview = SharedItem(previewing: text, at: request.context.now)
                body.append(
                    parts.preview(
                        preview, student.calledName, photos: photos.map { parts.image($0, of: student.calledName) })
                )
                if !photos.isEmpty {
                    body.append(.text(PTText(words("insights.photosTip"), role: .note)))
                }
                body.append(
                    share(
                        text, photos.isEmpty ? "insights.share" : "insights.shareWithPhotos",
                        withPhotos: !photos.isEmpty, request))
                if !photos.isEmpty {
                    body.append(share(text, "insights.shareWithoutPhotos", withPhotos: false, request))
                }
            }
        }
        if let item {
            body.append(
                .button(
                    PTButton(
                        title: words("insights.takeBack"), icon: .x, role: .destructive,
                        action: .perform(
                            request.call(
                                TakeBackItem.self, ["itemId": item.id.text],
                                confirmation: PTConfirmation(
                                    title: words("insights.takeBackQuestion"),
                                    message: words("insights.takeBackTip"), confirm: words("insights.takeBack")),
                                to: text.path)))))
        }
        let form = Component.form(
            request.form(
                ApproveText.self, ["textId": textId.text], id: "text", fields: parts.fields(text),
                submit: SubmitButton(title: words("insights.approve"), icon: .check),
                alternate: SubmitButton(
                    title: words("insights.save"), action: request.call(SaveText.self, ["textId": textId.text]),
                    role: .neutral),
                to: text.path, style: .card))
        if text.isApproved && !isEditing {
            body.append(.disclosure(PTDisclosure(title: words("insights.change"), body: [form])))
        } else {
            body += try await request.savedMeanwhile(
                "insights.changed", ["insights.edited"], of: text.id, text.text)
            body += parts.namesBanner(text.text, others) + [form]
        }
        return Screen(
            title: words("insights.kind.\(text.kind.rawValue)"),
            subtitle: "\(student.displayName) · \(words("insights.language.\(text.language.rawValue)"))",
            back: "/students/\(id.text)", live: [Topics.student(id)], body: body)
    }
}

extension TextScreens {
    private func share(
        _ text: FamilyText, _ title: String, withPhotos: Bool, _ request: ScreenRequest
    ) -> Component {
        .button(
            PTButton(
                title: request.words(title), icon: .share,
                role: title == "insights.shareWithoutPhotos" ? .neutral : .primary, size: .large,
                action: .perform(
                    request.call(
                        ShareText.self, ["textId": text.id.text],
                        fields: ["version": String(text.version), "withPhotos": withPhotos ? "true" : "false"],
                        to: text.path))))
    }
}

extension SharedItem {
    /// A preview of a text as a shared item.
    init(previewing text: FamilyText, at instant: Date) {
        self.init(
            id: text.id, studentId: text.studentId, kind: text.kind, language: text.language,
            firstDay: text.firstDay, lastDay: text.lastDay, text: text.text, textId: text.id, version: text.version,
            sharedAt: instant)
    }
}

/// Components that guides' and parents' pages have in common, so that both show the same.
struct TextParts {
    let request: ScreenRequest

    private var words: Words { request.words }

    func fields(_ text: FamilyText) -> [PTField] {
        [
            PTField(
                .multiline, name: "text", label: words("insights.text"), value: text.text, isRequired: true,
                maxLength: FamilyText.maxLength),
            .hidden("version", String(text.version)),
        ]
    }

    /// A warning if a text names other children; empty otherwise.
    func namesBanner(_ text: String, _ others: [String]) -> [Component] {
        let found = others.filter { NamesInText.contains($0, in: text) }
        guard !found.isEmpty else { return [] }
        return [
            .banner(
                PTBanner(
                    tone: .warning, icon: .alert, title: words("insights.names", found.joined(separator: ", ")),
                    message: words("insights.namesTip")))
        ]
    }

    /// The section with the item as parents will see it.
    func preview(_ item: SharedItem, _ calledName: String, photos: [PTImage]? = nil) -> Component {
        .section(PTSection(title: words("insights.preview"), body: [card(item, calledName, photos: photos)]))
    }

    /// A photo that has not been shared yet.
    func image(_ photo: RecordedPhoto, of calledName: String) -> PTImage {
        image(
            photo.photo, small: photo.thumbnailPath, large: photo.path, of: calledName)
    }

    private func image(_ photo: Photo, small: String, large: String, of calledName: String) -> PTImage {
        PTImage(
            url: small, width: photo.width, height: photo.height,
            alt: words("insights.photoOf", calledName),
            large: large)
    }

    /// The item as a family reads it.
    ///
    /// - Parameters:
    ///   - calledName: the name by which the child is addressed.
    ///   - photos: the photos of an item that has not been shared yet.
    func card(_ item: SharedItem, _ calledName: String, photos: [PTImage]? = nil) -> Component {
        let photos =
            photos
            ?? item.photos.map {
                image($0, small: item.path($0.thumbnail), large: item.path($0.hash), of: calledName)
            }
        return .card(
            PTCard(
                label: title(item, calledName),
                body: [
                    .text(PTText(title(item, calledName), role: .heading)), .text(PTText(item.text)),
                ] + photos.map { .image($0) }))
    }

    /// `Noah’s week, Monday 16 November to Sunday 22 November`.
    func title(_ item: SharedItem, _ calledName: String) -> String {
        item.firstDay == item.lastDay
            ? words("family.\(item.kind.rawValue).day", calledName, words.longDate(item.firstDay))
            : words(
                "family.\(item.kind.rawValue).days", calledName, words.longDate(item.firstDay),
                words.longDate(item.lastDay))
    }
}
