import Client
public import DesignSystem
public import Foundation
import NativeViews
public import ScreenUI
public import SwiftUI
import UIKit

/// Files of the server, read with the person's session, and files that the person adds to forms.
///
/// Everything is in one folder, which is emptied at the start and at sign-out.
@MainActor
public final class SessionContent: HostedContent, SessionFiles {
    /// The bytes of files of the server that stay on the device.
    static let limit = 300 << 20

    private let store: PageStore
    private let folder: URL
    /// A file of the server on the device.
    private struct Loaded {
        let address: String
        let file: URL
        let size: Int
    }
    /// The files of the server, the one that was used longest ago first.
    private var loaded: [Loaded] = []
    private var loading: [String: Task<URL?, Never>] = [:]
    /// The files that forms can send, by the ids of their choice.
    private var held: [String: FormFile] = [:]

    /// - Parameter folder: a folder of its own.
    init(_ store: PageStore, folder: URL) {
        self.store = store
        self.folder = folder
        clear()
    }

    /// Deletes all files.
    func clear() {
        for task in loading.values { task.cancel() }
        (loading, loaded, held) = ([:], [], [:])
        // A file that cannot be deleted now is deleted at the next start.
        try? FileManager.default.removeItem(at: folder)
    }

    private func newFile(_ suffix: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: suffix.isEmpty ? UUID().uuidString : "\(UUID().uuidString).\(suffix)")
    }

    // MARK: - Files of the server

    public func file(at path: String) async -> URL? {
        // Only the server gets the session.
        guard path.hasPrefix("/") else { return nil }
        if let place = loaded.firstIndex(where: { $0.address == path }) {
            loaded.append(loaded.remove(at: place))
            return loaded.last?.file
        }
        // Several views of a page show the same picture.
        if let task = loading[path] { return await task.value }
        let task = Task { await load(path) }
        loading[path] = task
        let file = await task.value
        loading[path] = nil
        return file
    }

    private func load(_ path: String) async -> URL? {
        do {
            let download = try newFile("")
            let mediaType = try await store.download(path, to: download)
            guard !Task.isCancelled else {
                try FileManager.default.removeItem(at: download)
                return nil
            }
            // Players know the kind of a file by the ending of its name.
            let file = try newFile(Self.suffix(of: mediaType, path))
            try FileManager.default.moveItem(at: download, to: file)
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            loaded.append(Loaded(address: path, file: file, size: size))
            try trim()
            return file
        } catch {
            // Without a network or after a refusal the view shows its placeholder.
            return nil
        }
    }

    private func trim() throws {
        var size = loaded.reduce(0) { $0 + $1.size }
        while size > Self.limit, loaded.count > 1 {
            let oldest = loaded.removeFirst()
            size -= oldest.size
            try FileManager.default.removeItem(at: oldest.file)
        }
    }

    private static func suffix(of mediaType: String?, _ path: String) -> String {
        let type = mediaType?.prefix { $0 != ";" } ?? ""
        if let known = suffixes[String(type)] { return known }
        let name = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        return name.contains(".") ? String(name.split(separator: ".").last ?? "") : ""
    }

    private static let suffixes = [
        "video/mp4": "mp4", "video/quicktime": "mov", "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/aac": "aac",
        "audio/wav": "wav", "model/vnd.usdz+zip": "usdz", "image/jpeg": "jpg", "image/png": "png",
    ]

    // MARK: - Files of the person

    public func hold(_ file: MadeFile) async -> ChosenFile? {
        do {
            let place = try newFile("")
            try file.content.write(to: place)
            return hold(FormFile(name: file.name, mediaType: file.mediaType, content: place))
        } catch {
            // The device is full, and the system has told so. The person can try again.
            return nil
        }
    }

    /// Takes a file that the person chose, so that a command can send it; `nil` if it is gone.
    func hold(_ file: PickedFile) -> ChosenFile? {
        do {
            let place = try newFile("")
            try FileManager.default.moveItem(at: file.content, to: place)
            return hold(FormFile(name: file.name, mediaType: file.mediaType, content: place))
        } catch {
            // The device is full, and the system has told so. The person can choose again.
            return nil
        }
    }

    private func hold(_ file: FormFile) -> ChosenFile {
        let id = UUID().uuidString
        held[id] = file
        return ChosenFile(id: id, name: file.name)
    }

    /// The files that a person chose.
    func files(_ chosen: [String: [ChosenFile]]) -> [String: [FormFile]] {
        chosen.mapValues { $0.compactMap { held[$0.id] } }
    }

    /// Deletes files that were sent.
    func release(_ chosen: [String: [ChosenFile]]) {
        for id in chosen.values.joined().map(\.id) {
            guard let file = held.removeValue(forKey: id) else { continue }
            // What stays is deleted at the next start.
            try? FileManager.default.removeItem(at: file.content)
        }
    }

    // MARK: - Pictures and players

    public func picture(at address: String) async -> Image? {
        guard let file = await file(at: address) else { return nil }
        return UIImage(contentsOfFile: file.path).map { Image(uiImage: $0) }
    }

    public func nativeView(for island: PTIsland) -> AnyView? {
        switch island.name {
        // Tools of a browser that the app has itself: its notifications, and the location at a check-in.
        case "push", "place": AnyView(EmptyView())
        case "quest": QuestView(island: island).map { AnyView($0) }
        case "rollcall": RollCallView(island: island).map { AnyView($0) }
        default: nil
        }
    }

    // The players of the device are a part of their own.
    public func player(for video: PTVideo) -> AnyView? { nil }
    public func player(for audio: PTAudio) -> AnyView? { nil }
}
