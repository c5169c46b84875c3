import AppShell
import AppleTools
import Client
import Foundation
import Widgets

/// What the system shows of the person outside of the app: widgets, and entries of its search.
///
/// It is read after the start, after changes and when the app comes to the front, and removed at sign-out.
@MainActor
final class SystemContent {
    /// The seconds after which the entries of the search are read again.
    static let searchAge: TimeInterval = 900

    private let widgets: WidgetContainer?
    private let index = SpotlightIndex()
    private var task: Task<Void, Never>?
    /// The person whose entries the search has, and when they were read.
    private var indexed: (person: SignedIn, at: Date)?

    init(widgets: WidgetContainer?) { self.widgets = widgets }

    /// Reads what the system shows of a person. A newer call replaces the one before.
    func refresh(_ person: SignedIn, at now: Date) {
        task?.cancel()
        task = Task {
            await refreshWidgets(person)
            await refreshSearch(person, now)
        }
    }

    private func refreshWidgets(_ person: SignedIn) async {
        guard let widgets else { return }
        do {
            let data = try await person.store.widget()
            guard !Task.isCancelled else { return }
            try widgets.write(WidgetContainer.Content(server: person.server, data: data))
        } catch {
            // Without a network the widgets show what they have, and say how old it is.
        }
    }

    private func refreshSearch(_ person: SignedIn, _ now: Date) async {
        if let indexed, indexed.person === person, now.timeIntervalSince(indexed.at) < Self.searchAge { return }
        do {
            let entries = try await person.store.searchEntries()
            guard !Task.isCancelled else { return }
            try await index.replace(with: entries.map(SpotlightIndex.Entry.init))
            indexed = (person, now)
        } catch {
            // The next time the app comes to the front it is tried again.
        }
    }

    /// Removes everything of the person who signed out.
    func clear() async {
        task?.cancel()
        // An answer that is being stored comes first.
        await task?.value
        (task, indexed) = (nil, nil)
        do { try widgets?.clear() } catch {
            // The file is in a folder of the system that no other app reads; the next person replaces it.
        }
        do { try await index.clear() } catch {
            // The next start of the app replaces the entries.
        }
    }
}

extension SpotlightIndex.Entry {
    fileprivate init(_ entry: SearchEntry) {
        let kind: Kind =
            switch entry.kind {
            case .course: .course
            case .assignment: .assignment
            case .quiz: .quiz
            }
        self.init(kind, entry.id, title: entry.title, detail: entry.detail)
    }
}
