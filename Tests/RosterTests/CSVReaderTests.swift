import Testing
@testable import Roster
