import Foundation

/// What a child may be shown next, from the sequence and from what was recorded (BY-1.08). No guess and no model:
/// the same record gives the same suggestions, and each says what it rests on.
struct WhatsNextEngine<Day: Comparable & Hashable & Sendable>: Sendable {
    /// A material of the sequence.
    struct Material: Sendable {
        let id: UUID
        let area: UUID
        let requires: [UUID]
    }
    /// Where the child stands with a material.
    struct Standing: Sendable, Hashable {
        let state: ProgressState
        let day: Day
    }
    /// A material that comes before, and where the child stands with it.
    struct Reason: Sendable, Hashable {
        let material: UUID
        let standing: Standing
    }
    struct Suggestion: Sendable, Hashable {
        let material: UUID
        let area: UUID
        /// Empty where it is the first step in an area of which nothing was recorded.
        let because: [Reason]
    }

    static var mostPerArea: Int { 3 }
    static var most: Int { 5 }

    /// In the order in which they are taught; the first of an area says where the area stands.
    let materials: [Material]
    let standings: [UUID: Standing]
    /// Materials that are not to be suggested: planned already, or dismissed.
    let excluded: Set<UUID>

    /// The areas with least begun give first, one in turn; within an area what follows from the latest work.
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

    /// - Parameter used: the materials that this school has; one that it put away asks for nothing.
    private func candidates(in area: [Material], isUntouched: Bool, _ used: Set<UUID>) -> [Suggestion] {
        let open = area.filter { state(of: $0.id) == .notStarted && !excluded.contains($0.id) }
        let ready: [(suggestion: Suggestion, latest: Day)] = open.compactMap { material in
            guard let reasons = reasons(for: material, used), let latest = reasons.map(\.standing.day).max()
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

    /// What a suggestion of the material rests on; `nil` where something that comes before is not practised yet.
    private func reasons(for material: Material, _ used: Set<UUID>) -> [Reason]? {
        var reasons: [Reason] = []
        for id in material.requires where used.contains(id) {
            guard let standing = standings[id], [.practising, .mastered].contains(standing.state) else {
                return nil
            }
            reasons.append(Reason(material: id, standing: standing))
        }
        return reasons
    }

    private func state(of id: UUID) -> ProgressState { standings[id]?.state ?? .notStarted }
}
