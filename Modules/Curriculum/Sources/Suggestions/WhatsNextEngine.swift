import Foundation

/// Suggests materials from the sequence and a child's records (BY-1.08).
///
/// It is deterministic: the same records give the same suggestions, each with its reasons.
struct WhatsNextEngine<Day: Comparable & Hashable & Sendable>: Sendable {
    /// A material of the sequence.
    struct Material: Sendable {
        let id: UUID
        let area: UUID
        let requires: [UUID]
    }
    /// A child's progress with a material.
    struct Progress: Sendable, Hashable {
        let state: ProgressState
        let day: Day
    }
    /// A prerequisite and the child's progress with it.
    struct Reason: Sendable, Hashable {
        let material: UUID
        let progress: Progress
    }
    /// A suggested material and the reasons.
    struct Suggestion: Sendable, Hashable {
        let material: UUID
        let area: UUID
        /// Empty for the first step in an area without records.
        let because: [Reason]
    }

    /// The most suggestions per area.
    static var mostPerArea: Int { 3 }
    /// The most suggestions in all.
    static var most: Int { 5 }

    /// The materials in the order of teaching. The first material of an area determines the order of areas.
    let materials: [Material]
    let progress: [UUID: Progress]
    /// Materials that are planned or dismissed.
    let excluded: Set<UUID>

    /// The suggestions: areas with the least begun work first, in turn. Within an area the latest work comes first.
    var suggestions: [Suggestion] {
        var areas: [UUID] = []
        var byArea: [UUID: [Material]] = [:]
        for material in materials {
            if byArea[material.area] == nil { areas.append(material.area) }
            byArea[material.area, default: []].append(material)
        }
        let used = Set(materials.map(\.id))
        let begun = byArea.mapValues { $0.count { state(of: $0.id) != .notStarted } }
        var queues = areas.enumerated().sorted {
            (begun[$0.element] ?? 0, $0.offset) < (begun[$1.element] ?? 0, $1.offset)
        }.map { candidates(in: byArea[$0.element] ?? [], isUntouched: begun[$0.element] == 0, used)[...] }
        var chosen: [Suggestion] = []
        for _ in 0..<Self.mostPerArea {
            for index in queues.indices where chosen.count < Self.most {
                if let next = queues[index].popFirst() { chosen.append(next) }
            }
        }
        return chosen
    }

    /// The candidates of an area, the best first.
    ///
    /// - Parameter used: The materials that the school offers. Hidden ones are no prerequisites.
    private func candidates(in area: [Material], isUntouched: Bool, _ used: Set<UUID>) -> [Suggestion] {
        let open = area.filter { state(of: $0.id) == .notStarted && !excluded.contains($0.id) }
        let ready: [(suggestion: Suggestion, latest: Day)] = open.compactMap { material in
            guard let reasons = reasons(for: material, used), let latest = reasons.map(\.progress.day).max()
            else { return nil }
            return (Suggestion(material: material.id, area: material.area, because: reasons), latest)
        }
        guard ready.isEmpty, isUntouched else {
            return ready.enumerated().sorted {
                $0.element.latest == $1.element.latest
                    ? $0.offset < $1.offset : $0.element.latest > $1.element.latest
            }.map(\.element.suggestion)
        }
        let first = open.first { $0.requires.allSatisfy { !used.contains($0) } }
        return first.map { [Suggestion(material: $0.id, area: $0.area, because: [])] } ?? []
    }

    /// The reasons for a suggestion, or `nil` if a prerequisite is not practiced yet.
    private func reasons(for material: Material, _ used: Set<UUID>) -> [Reason]? {
        var reasons: [Reason] = []
        for id in material.requires where used.contains(id) {
            guard let progress = progress[id], [.practicing, .mastered].contains(progress.state) else {
                return nil
            }
            reasons.append(Reason(material: id, progress: progress))
        }
        return reasons
    }

    private func state(of id: UUID) -> ProgressState { progress[id]?.state ?? .notStarted }
}
