public import Foundation
public import QuestModel

/// The routines that the pages of the server describe.
@MainActor
public protocol RoutineRepositoryProtocol: Sendable {
    /// Returns the routines of a page's player that have tasks and are for today's weekday.
    func fetchActiveForToday(in page: PlayProperties) -> [PlayProperties.RoutineItem]
    /// Reads the pages of players, so that each of them can play without a network.
    ///
    /// - Parameter accept: The media type in which the app reads pages.
    func readAhead(_ addresses: [String], accept: String) async
}

/// The quests on this device: the present one of each player, and the sessions that wait to be sent.
@MainActor
public protocol SessionRepositoryProtocol: AnyObject, Sendable {
    /// Returns the present quest of a player; `nil` if they are doing none.
    func quest(of player: String) -> CurrentQuest?
    /// Does what a child wants, and stores it. Throws `StoreError`; then nothing has changed.
    func perform(_ action: QuestAction, in page: PlayProperties) throws
    /// The number of sessions of the page that wait to be sent.
    func waiting(in page: PlayProperties) -> Int
    /// Whether the session of a player's present quest has reached the server.
    func delivery(of player: String) -> QuestDelivery
    /// Returns what opens the parent's side.
    func gate(of page: PlayProperties) async -> QuestGate
    /// Opens the parent's side with its code.
    func openGate(of page: PlayProperties, code: String) async -> QuestGateAnswer
    /// Returns this device to the player's side. Without a network, the next start does it.
    func closeGate(of page: PlayProperties) async
}

/// An action of a child in a quest.
public enum QuestAction: Sendable, Hashable {
    case start(PlayProperties.RoutineItem)
    case guess(Double)
    case begin
    case pause
    case resume
    /// Reads the clocks of a running task, such as when the app leaves the front.
    case readClocks
    /// The child forgot to stop the clock.
    case forget
    /// The task is done.
    case end
    /// The child enters the real time in seconds.
    case tell(Double)
    /// The child takes the measured time, although it is unusually long.
    case takeMeasured
    /// Goes to the next task, or to the summary after the last one.
    case next
    /// Leaves the quest, of which nothing was sent, or its summary.
    case leave
}

/// The place of a session on its way to the server.
public enum QuestDelivery: Sendable, Hashable {
    case waiting
    /// The server refused the session.
    case refused
    case sent
}

/// The key to the parent's side of a device.
public enum QuestGate: Sendable, Hashable {
    /// The code, after a wait in seconds that follows wrong codes.
    case code(wait: TimeInterval)
    /// An adult signs in.
    case signIn
}

/// The answer to a code.
public enum QuestGateAnswer: Sendable, Hashable {
    /// The parent's side is open at an address.
    case open(String)
    /// The code is wrong. The next one is accepted after a wait in seconds.
    case wrong(wait: TimeInterval)
    case offline
    case signIn
}
