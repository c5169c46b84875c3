import Domain
import FeatureKit
import Foundation

/// The text format of mails (RFC 5322), with unencoded UTF-8 in the body (RFC 2045, 8bit).
enum MailFormat {
    /// Returns the mail with its headers, ready to send.
    static func text(of mail: Mail, from sender: String, at instant: Date, id: UUID) -> String {
        let host = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        let headers =
            [
                "From: PinkTower <\(line(sender))>", "To: <\(line(mail.to))>", "Subject: \(encoded(mail.subject))",
                "Date: \(date(instant))", "Message-ID: <\(id.uuidString.lowercased())@\(line(host))>",
                "MIME-Version: 1.0", "Auto-Submitted: auto-generated",
            ]
            + (mail.schoolId.map { ["\(school): \($0.text)"] } ?? [])
            + (mail.personId.map { ["\(person): \($0.text)"] } ?? [])
        let text = plain + [""] + mail.text.components(separatedBy: .newlines)
        guard let attachment = mail.attachment else { return (headers + text).joined(separator: "\r\n") + "\r\n" }
        // The id of the mail, which no text contains.
        let border = "--\(id.uuidString.lowercased())"
        let type = "Content-Type: multipart/mixed; boundary=\"\(border.dropFirst(2))\""
        return (headers + [type, "", border] + text + [border] + lines(of: attachment) + ["\(border)--"])
            .joined(separator: "\r\n") + "\r\n"
    }

    private static let plain = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]

    /// The part of a mail with its file (RFC 2183), whose name is encoded as RFC 2231 section 4 says.
    private static func lines(of attachment: MailAttachment) -> [String] {
        let name =
            attachment.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(ascii)) ?? ""
        let content = Data(attachment.bytes).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return [
            "Content-Type: \(line(attachment.contentType))", "Content-Transfer-Encoding: base64",
            "Content-Disposition: attachment;", " filename*=utf-8''\(name)", "", content,
        ]
    }

    private static let ascii = CharacterSet(charactersIn: "\u{0}"..."\u{7F}")

    /// Headers with the school and the person that the mail is about, so that an unsent mail is erased with them.
    private static let (school, person) = ("X-PinkTower-School", "X-PinkTower-Person")

    /// Parses what `text(of:from:at:id:)` wrote.
    static func mail(of text: String) -> Mail {
        let text = text.replacingOccurrences(of: "\r\n", with: "\n")
        var halves = text.components(separatedBy: "\n\n")
        let headers = (halves.first ?? "").replacingOccurrences(of: "\n ", with: "").split(separator: "\n")
        func header(_ name: String) -> String {
            headers.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
        }
        // The text of a mail with a file is its first part.
        if let border = header("Content-Type").components(separatedBy: "boundary=\"").dropFirst().first {
            let parts = text.components(separatedBy: "\n--\(border.dropLast())\n").dropFirst()
            halves = (parts.first ?? "").components(separatedBy: "\n\n")
        }
        return Mail(
            to: header("To").filter { $0 != "<" && $0 != ">" }, subject: decoded(header("Subject")),
            text: halves.dropFirst().joined(separator: "\n\n"), schoolId: UUID(text: header(school)),
            personId: UUID(text: header(person)))
    }

    private static func decoded(_ text: String) -> String {
        guard text.hasPrefix("=?") else { return text }
        let bytes = text.components(separatedBy: "=?utf-8?B?").compactMap { word in
            Data(base64Encoded: word.replacingOccurrences(of: "?=", with: ""))
        }
        return String(decoding: bytes.reduce(Data(), +), as: UTF8.self)
    }

    /// Removes line breaks and angle brackets, so that no value can begin another header.
    private static func line(_ text: String) -> String {
        text.filter { !$0.isNewline && $0 != "\r" && $0 != "\n" && $0 != "<" && $0 != ">" }
    }

    /// Encodes a header with non-ASCII characters as encoded words of at most 75 characters (RFC 2047).
    static func encoded(_ text: String) -> String {
        let text = line(text)
        guard text.utf8.contains(where: { $0 > 0x7E || $0 < 0x20 }) else { return text }
        var words: [String] = []
        var portion = ""
        for character in text {
            if portion.utf8.count + String(character).utf8.count > 42 {
                words.append(portion)
                portion = ""
            }
            portion.append(character)
        }
        words.append(portion)
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Formats a date as in `Sat, 21 Nov 2026 16:04:05 +0000`.
    private static func date(_ instant: Date) -> String {
        let style = Date.VerbatimFormatStyle(
            format:
                "\(weekday: .abbreviated), \(day: .defaultDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return instant.formatted(style) + " +0000"
    }
}
