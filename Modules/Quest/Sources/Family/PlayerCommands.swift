import Domain
import FeatureKit
import Foundation

/// Lists the players of the caller's family.
struct ListPlayers: Query {
    static let contract = Contract(
        "routines.players", "/api/v1/quest/players", access: .member(.manageQuests),
        summary: "The players of the caller's family, the oldest first, with archived ones.")
    typealias Result = Page<Player>

    init(_ fields: inout FieldReader) {}
}

/// Adds a player.
struct AddPlayer: Command {
    static let contract = Contract(
        "routines.addPlayer", "/api/v1/quest/players", access: .member(.manageQuests), isCreation: true,
        summary: "Adds a player to the caller's family.")
    typealias Result = Player

    let name: String

    init(_ fields: inout FieldReader) { name = fields.text("name", max: 40) }
}

/// Renames a player.
struct RenamePlayer: Command {
    static let contract = Contract(
        "routines.renamePlayer", "/api/v1/quest/players/{playerId}", access: .member(.manageQuests),
        replay: .natural, summary: "Renames a player.")
    typealias Result = Player

    let playerId: UUID
    let name: String

    init(_ fields: inout FieldReader) {
        playerId = fields.id("playerId")
        name = fields.text("name", max: 40)
    }
}

/// Archives or restores a player.
struct ArchivePlayer: Command {
    static let contract = Contract(
        "routines.archivePlayer", "/api/v1/quest/players/{playerId}/archive", access: .member(.manageQuests),
        replay: .natural, summary: "Archives a player, or restores one with archived=false.")
    typealias Result = Player

    let playerId: UUID
    let isArchived: Bool

    init(_ fields: inout FieldReader) {
        playerId = fields.id("playerId")
        isArchived = fields.flag("archived")
    }
}

/// Deletes a player.
struct DeletePlayer: Command {
    static let contract = Contract(
        "routines.deletePlayer", "/api/v1/quest/players/{playerId}/delete", access: .member(.manageQuests),
        summary: "Deletes a player with all routines and sessions.")
    typealias Result = Done

    let playerId: UUID

    init(_ fields: inout FieldReader) { playerId = fields.id("playerId") }
}

/// The endpoints of players.
struct PlayerHandlers: Sendable {
    /// The most players of a family or small class.
    static let mostPlayers = 40

    var commands: [CommandRegistration] {
        [
            .handle(AddPlayer.self) { command, context in
                let membership = try context.membership
                let others = try PlayerRepository.players(of: membership, in: context.sql)
                guard others.count < Self.mostPlayers else {
                    throw Problem(409, "quest.tooManyPlayers", [.number(Self.mostPlayers)])
                }
                let player = Player(
                    id: context.newId(), ownerId: membership.personId, name: command.name, createdAt: context.now)
                try PlayerRepository.save(player, in: context.sql)
                context.record(.quest("quest.playerAdded", player))
                context.destination = DashboardScreens.path(player.id)
                return player
            },
            .handle(RenamePlayer.self) { command, context in
                try change(command.playerId, &context) { player, _ in player.name = command.name }
            },
            .handle(ArchivePlayer.self) { command, context in
                try change(command.playerId, &context) { player, now in
                    player.archivedAt = command.isArchived ? player.archivedAt ?? now : nil
                }
            },
            .handle(DeletePlayer.self) { command, context in
                let player = try PlayerRepository.player(
                    command.playerId, of: context.membership, in: context.sql)
                try PlayerRepository.delete(player.id, in: context.sql)
                context.record(.quest("quest.playerDeleted", player))
                context.destination = DashboardScreens.home
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListPlayers.self) { _, context in
                let membership = try context.membership
                return Page(
                    items: try await context.school.read { try PlayerRepository.players(of: membership, in: $0) },
                    next: nil)
            }
        ]
    }

    private func change(
        _ id: UUID, _ context: inout CommandContext, _ edit: (inout Player, Date) -> Void
    ) throws -> Player {
        let former = try PlayerRepository.player(id, of: context.membership, in: context.sql)
        var player = former
        edit(&player, context.now)
        if player != former {
            try PlayerRepository.save(player, in: context.sql)
            context.record(.quest("quest.playerChanged", player))
        }
        return player
    }
}

extension Change {
    /// A change in a family, for its owner only and without names.
    /// - Parameter ids: the ids of what changed, besides the player's.
    static func quest(_ kind: String, _ player: Player, _ ids: [String: UUID] = [:]) -> Change {
        Change(
            kind, topics: ["quest:\(player.id.text)"], audience: [.person(player.ownerId)],
            payload: ids.mapValues(\.text).merging(["player": player.id.text]) { own, _ in own })
    }
}
