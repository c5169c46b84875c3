import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// Stores the pictures of imported questions as files of the school.
struct ImportedPictureStore: Sendable {
    let images: any ImageShrinking

    /// Returns the questions with their pictures. A question with a picture that cannot be read is left out.
    func store(_ read: ImportedQuestions, in files: any BlobStore) async throws -> ImportedQuestions {
        var result = ImportedQuestions(leftOut: read.leftOut)
        // Equal pictures, such as a map of ten questions, are encoded once.
        var known: [BlobHash: (hash: BlobHash, width: Int, height: Int)] = [:]
        for question in read.questions {
            var question = question
            var isReadable = true
            let found = read.pictures[question.id]
            for picture in found?.files ?? [] {
                let original = BlobHash(of: picture.bytes)
                if known[original] == nil { known[original] = try await stored(picture.bytes, in: files) }
                guard let file = known[original] else {
                    isReadable = false
                    break
                }
                question.pictures.append(
                    QuestionPicture(name: picture.name, hash: file.hash, width: file.width, height: file.height))
            }
            if isReadable {
                result.questions.append(question.withoutUnusedPictures)
            } else {
                result.leftOut.append(.init(title: found?.title ?? question.title, reason: .picture))
            }
        }
        return result
    }

    private func stored(
        _ bytes: [UInt8], in files: any BlobStore
    ) async throws -> (hash: BlobHash, width: Int, height: Int)? {
        let made: ShrunkImage
        do throws(ImageFault) {
            made = try await images.shrink(bytes, to: [QuestionPicture.side])[0]
        } catch {
            return nil
        }
        // A picture that was exported here comes back unchanged.
        let isOurs = PlainJPEG.size(bytes).map { $0.width == made.width && $0.height == made.height } ?? false
        return (try await files.put(isOurs ? bytes : made.bytes), made.width, made.height)
    }
}

/// Recognizes JPEG files that contain nothing but a picture.
enum PlainJPEG {
    /// Returns the size of the picture of a JPEG file (ITU-T T.81 annex B); `nil` if the file has anything besides the
    /// picture, such as a place or a preview, or is no complete JPEG file.
    static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        var size: (width: Int, height: Int)?
        while place + 1 < bytes.count, bytes[place] == 0xFF {
            let mark = bytes[place + 1]
            if mark == 0xD9 { return place + 2 == bytes.count ? size : nil }
            guard place + 3 < bytes.count else { return nil }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let end = place + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            let content = bytes[(place + 4)..<max(place + 4, end)]
            switch mark {
            case 0xC0, 0xC1, 0xC2:
                guard content.count >= 5 else { return nil }
                let head = Array(content.prefix(5))
                size = (Int(head[3]) << 8 | Int(head[4]), Int(head[1]) << 8 | Int(head[2]))
            // Tables and the restart interval.
            case 0xC4, 0xDB, 0xDD: break
            // JFIF without a preview.
            case 0xE0: guard content.starts(with: Array("JFIF\0".utf8)), content.count == 14 else { return nil }
            // The comment of libgd.
            case 0xFE:
                guard content.starts(with: Array("CREATOR: gd-jpeg".utf8)), content.count < 120 else { return nil }
            case 0xDA: break
            default: return nil
            }
            place = end
            // The coded picture follows a start of scan, up to the next mark.
            if mark == 0xDA {
                while place + 1 < bytes.count,
                    bytes[place] != 0xFF || bytes[place + 1] == 0 || (0xD0...0xD7).contains(bytes[place + 1])
                {
                    place += 1
                }
            }
        }
        return nil
    }
}
