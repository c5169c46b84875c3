import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// How a lesson's page shows a file, detected from its bytes and stored as the content type under which it is served.
///
/// Files of other kinds are downloads only.
enum LessonMedia: String, Codable, Sendable, Hashable, SQLConvertible {
    case mp4 = "video/mp4"
    case webM = "video/webm"
    case ogg = "video/ogg"
    case picture = "image/jpeg"
    case captions = "text/vtt"

    /// Detects the kind of a file that is stored unchanged; `nil` for a download. Throws if the file cannot be read.
    ///
    /// Pictures are detected elsewhere, because they are encoded again.
    init?(_ content: FileContent) throws {
        switch MediaType(try content.head(MediaType.headBytes)) {
        case .mp4 where try FilmBytes.areMP4(content): self = .mp4
        case .webM where try FilmBytes.areWebM(content): self = .webM
        case .ogg where try FilmBytes.areOgg(content): self = .ogg
        // WebVTT is UTF-8 (section 4.1). Browsers would show other encodings with replacement characters.
        case .webVTT where try Self.isUTF8(content): self = .captions
        default: return nil
        }
    }

    /// Whether the bytes are valid UTF-8. Reads them in portions.
    private static func isUTF8(_ content: FileContent) throws -> Bool {
        var rest: [UInt8] = []
        var isValid = true
        try content.forEachPortion { portion in
            guard isValid else { return }
            rest += portion
            // A portion may end within a character, so a character that begins in the last three bytes waits for the
            // next portion.
            let cut = rest.suffix(3).lastIndex { $0 >= 0xC0 } ?? rest.endIndex
            isValid = String(validating: rest[..<cut], as: UTF8.self) != nil
            rest.removeFirst(cut)
        }
        return isValid && String(validating: rest, as: UTF8.self) != nil
    }

    var isFilm: Bool { [.mp4, .webM, .ogg].contains(self) }

    /// The fault code for a file whose name promises a video, captions or a picture that its bytes are not; `nil`
    /// otherwise.
    ///
    /// Such a file would never appear on the page.
    static func fault(ofName name: String) -> String? {
        switch name.split(separator: ".").last?.lowercased() {
        case "mp4", "m4v", "webm", "ogv": "lessons.film"
        case "vtt": "lessons.captions"
        case "png", "jpg", "jpeg", "webp": "lessons.picture"
        default: nil
        }
    }
}

/// The video at the top of a lesson: the one at its address, or else the first among its files.
enum LessonFilm: Hashable {
    case address(String)
    case file(LessonFile)

    init?(of lesson: Lesson, _ files: [LessonFile]) {
        if let url = lesson.videoURL {
            self = .address(url)
        } else if let file = files.first(where: { $0.media?.isFilm == true }) {
            self = .file(file)
        } else {
            return nil
        }
    }

    init?(of lesson: Lesson, in sql: any SQLReading) throws {
        self.init(of: lesson, try LessonFileRepository.files(of: lesson.id, in: sql))
    }
}

extension LessonFiles {
    /// The path under which the page shows the file. Downloads use `path(_:of:)`.
    static func shown(_ file: LessonFile, of lesson: Lesson) -> String {
        "\(LessonScreens.path(lesson))/media/\(file.id.text)"
    }

    /// Serves videos, captions and pictures to those who may read the lesson. Access is checked on each request.
    ///
    /// Other files are not found here, so that browsers never treat them as a part of this site.
    var mediaRoute: DownloadRoute {
        DownloadRoute(
            "\(CourseScreens.home)/{courseId}/lessons/{lessonId}/media/{fileId}", access: .member(.viewCourses)
        ) { parameters, context in
            let file = try await file(parameters, context)
            guard let media = file.media else { throw Problem.notFound }
            return try await DownloadedFile(file.hash, contentType: media.rawValue, of: context.files)
        }
    }

    /// The caption tracks among a lesson's files. Several of one language are labeled with their file names.
    static func tracks(_ files: [LessonFile], of lesson: Lesson, _ words: Words) -> [PTVideo.Track] {
        let captions = files.filter { $0.media == .captions }.map {
            (file: $0, language: CaptionName.language($0.name))
        }
        return captions.map { one in
            let isOnly = captions.count { $0.language == one.language } == 1
            let language = one.language.flatMap { isOnly ? words.locale.localizedString(forIdentifier: $0) : nil }
            return PTVideo.Track(
                url: shown(one.file, of: lesson), label: language ?? CaptionName.stem(one.file.name),
                language: one.language ?? words.language.rawValue)
        }
    }

    /// The picture that an address in a lesson's text refers to, by its stored or original name, ignoring case.
    ///
    /// Of several with the same name, the last one is used.
    static func picture(_ address: String, among files: [LessonFile], of lesson: Lesson) -> PTImage? {
        let name = (address.removingPercentEncoding ?? address).lowercased()
        let names = isPictureName(name) ? [name, pictureName(name)] : [name]
        guard let file = files.last(where: { $0.media == .picture && names.contains($0.name.lowercased()) }),
            let width = file.width, let height = file.height
        else { return nil }
        return PTImage(url: shown(file, of: lesson), width: width, height: height, alt: "")
    }

    /// Whether a name or an address may refer to a picture of the lesson.
    static func isPictureName(_ name: String) -> Bool {
        !name.contains("/") && ["png", "webp", "jpeg", "jpg"].contains { name.hasSuffix(".\($0)") }
    }

    /// The name of a picture after it was encoded again.
    static func pictureName(_ name: String) -> String { "\(CaptionName.stem(name)).jpg" }
}
