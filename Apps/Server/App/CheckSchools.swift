import Domain
import FeatureKit
import Foundation
import Persistence

/// The result of checking every school's file.
public struct SchoolsReport: Sendable {
    /// The report as text to print, one line for each school.
    public let lines: [String]
    /// Whether no fault was found in any school's file.
    public let isSound: Bool
}

/// Opens every school's database file, verifies its change log, and compares the log with its end as the server's
/// directory database recorded it. Works while the server runs.
public func checkSchools(_ settings: ServerSettings) async throws -> SchoolsReport {
    try await within(settings) { composition in
        var lines: [String] = []
        var isSound = true
        for school in try await composition.blocks.schools?.schools() ?? [] {
            let fault = try await composition.fault(of: school.id)
            isSound = isSound && fault == nil
            lines.append("\(school.name) (\(school.id.text)): \(fault ?? "sound.")")
        }
        return SchoolsReport(lines: lines.isEmpty ? ["There is no school yet."] : lines, isSound: isSound)
    }
}

extension ServerComposition {
    /// Returns the fault of a school's file as a sentence; `nil` if it has none.
    fileprivate func fault(of schoolId: UUID) async throws -> String? {
        do {
            let report = try await ChangeLog.verify(schools.school(schoolId))
            if let place = report.brokenAt {
                return "the change log is broken at entry \(place). Compare it with a backup."
            }
        } catch DatabaseFault.damaged {
            return "the file is damaged. Restore a backup with `pinktower restore FILE --replace`."
        } catch DatabaseFault.missing {
            return "the file is missing. Restore a backup with `pinktower restore FILE --replace`."
        }
        guard let loss = try await directory.read({ try SchoolSeals.loss(of: schoolId, in: $0) }) else {
            return nil
        }
        return """
            the entries \(loss.first) to \(loss.last) of the change log are lost, with the changes that they recorded. \
            This was noticed on \(Day(loss.foundAt, in: .gmt)). Restore a backup that has them, or enter the missing \
            changes again.
            """
    }
}
