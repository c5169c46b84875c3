import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The voice notes of a child, as cards below Quick Capture and as a page on which one is written down.
struct VoiceCards {
    let request: ScreenRequest
    let timeZone: TimeZone

    private var words: Words { request.words }

    /// Returns the card of a voice note.
    ///
    /// - Parameter author: the name of the person who spoke.
    func card(_ note: VoiceNote, author: PersonName?) -> Component {
        let title = title(note, author)
        let deleting = PTButton(
            title: words("voice.delete"), icon: .trash, role: .quiet,
            action: .perform(
                request.call(
                    DeleteVoice.self, ["studentId": note.studentId.text, "noteId": note.id.text],
                    confirmation: PTConfirmation(
                        title: words("voice.deleteQuestion"), confirm: words("voice.delete")))))
        let writing = PTButton(
            title: words("voice.writeDown"), icon: .edit, role: .tonal, action: .open(Self.path(note)))
        return .card(
            PTCard(
                label: title,
                body: [
                    .text(PTText(title, role: .note)), .audio(PTAudio(url: VoiceDownload.path(note), label: title)),
                    .buttons(PTButtonGroup(buttons: note.transcript == nil ? [writing, deleting] : [deleting])),
                ]))
    }

    func title(_ note: VoiceNote, _ author: PersonName?) -> String {
        let length = "\(note.seconds / 60):" + String(format: "%02d", note.seconds % 60)
        let day = Day(note.createdAt, in: timeZone)
        let when =
            day == request.context.today
            ? words("observation.todayAt", words.time(note.createdAt, in: timeZone)) : words.longDate(day)
        let state = note.transcript == nil ? words("voice.one") : words("voice.kept")
        return [state, length, author?.display, when].compactMap(\.self).joined(separator: " · ")
    }

    static func path(_ note: VoiceNote) -> String { "/students/\(note.studentId.text)/voice/\(note.id.text)" }
}
