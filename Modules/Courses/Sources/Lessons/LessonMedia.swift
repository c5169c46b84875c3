import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// What a lesson's page shows of a file, told by the file's bytes and kept as the content type under which it is served. A
/// file of any other kind is taken home and nothing else.
enum LessonMedia: String, Codable, Sendable, Hashable, SQLConvertible {
    case mp4 = "video/mp4"
    case webM = "video/webm"
    case ogg = "video/ogg"
    case picture = "image/jpeg"
    case captions = "text/vtt"

    /// Of what stays as it came. A picture is made anew first, and is one because it was made. Throws where the file
    /// cannot be read.
    init?(_ content: FileContent) throws {
        switch MediaType(try content.head(MediaType.headBytes)) {
        case .mp4 where try FilmBytes.areMP4(content): self = .mp4
        case .webM where try FilmBytes.areWebM(content): self = .webM
        case .ogg where try FilmBytes.areOgg(content): self = .ogg
        // WebVTT is UTF-8 (section 4.1); a browser would show the rest with signs of replacement.
        case .webVTT where try Self.isUTF8(content): self = .captions
        default: return nil
        }
    }

    /// Whether the bytes are valid UTF-8, read in portions.
    private static func isUTF8(_ content: FileContent) throws -> Bool {
        var rest: [UInt8] = []
        var isValid = true
        try content.forEachPortion { portion in
            guard isValid else { return }
            rest += portion
            // A character of several bytes may be cut: what begins among the last three bytes waits for the rest.
            let cut = rest.suffix(3).lastIndex { $0 >= 0xC0 } ?? rest.endIndex
            isValid = String(validating: rest[..<cut], as: UTF8.self) != nil
            rest.removeFirst(cut)
        }
        return isValid && String(validating: rest, as: UTF8.self) != nil
    }

    var isFilm: Bool { [.mp4, .webM, .ogg].contains(self) }

    /// Under which code a file is refused whose name says that it is a film, captions or a picture, and whose bytes say otherwise:
    /// its teacher would wait for it on the page in vain.
    static func fault(ofName name: String) -> String? {
        switch name.split(separator: ".").last?.lowercased() {
        case "mp4", "m4v", "webm", "ogv": "lessons.film"
        case "vtt": "lessons.captions"
        case "png", "jpg", "jpeg", "webp": "lessons.picture"
        default: nil
        }
    }
}

/// The film on top of a lesson: the one at its address, else the first among its files.
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
    /// Where a page shows the file; taken home it is from `path`.
    static func shown(_ file: LessonFile, of lesson: Lesson) -> String {
        "\(LessonScreens.path(lesson))/media/\(file.id.text)"
    }

    /// Asked anew at every request: a film, its captions or a picture, for whoever may read the lesson. What is no such
    /// thing is not there, so that nothing else of a lesson is ever read as a part of our site.
    var mediaRoute: DownloadRoute {
        DownloadRoute(
            "\(CourseScreens.home)/{courseId}/lessons/{lessonId}/media/{fileId}", access: .member(.viewCourses)
        ) { parameters, context in
            let file = try await file(parameters, context)
            guard let media = file.media else { throw Problem.notFound }
            return try await DownloadedFile(file.hash, contentType: media.rawValue, of: context.files)
        }
    }

    /// The captions among the files of a lesson. Two of one language are told apart by their names.
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

    /// The picture that a lesson's text means: the file of this name, as it is listed or as it came, in whatever letters.
    /// Of several the last that came, so that a better one takes the place of another.
    static func picture(_ address: String, among files: [LessonFile], of lesson: Lesson) -> PTImage? {
        let name = (address.removingPercentEncoding ?? address).lowercased()
        let names = isPictureName(name) ? [name, pictureName(name)] : [name]
        guard let file = files.last(where: { $0.media == .picture && names.contains($0.name.lowercased()) }),
            let width = file.width, let height = file.height
        else { return nil }
        return PTImage(url: shown(file, of: lesson), width: width, height: height, alt: "")
    }

    /// Whether a name or an address in a text looks like one of the lesson's own pictures.
    static func isPictureName(_ name: String) -> Bool {
        !name.contains("/") && ["png", "webp", "jpeg", "jpg"].contains { name.hasSuffix(".\($0)") }
    }

    /// What a picture is called that was made anew.
    static func pictureName(_ name: String) -> String { "\(CaptionName.stem(name)).jpg" }
}
