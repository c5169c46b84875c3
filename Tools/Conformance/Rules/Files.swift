extension Rule {
    /// Written in parts, so that this file does not break the rule itself.
    private static let places: [String] = [
        ["/ro", "ot/"], ["/wo", "rk/"], ["/opt/", "swift"], ["files.", "pythonhosted"], ["registry.", "npmjs"],
        ["/Use", "rs/"], ["/tmp/", "bash_jobs"],
    ].map { $0.joined() }

    static let machinePaths = Rule(
        "machine-paths", "No committed file names a path or package host of one machine."
    ) { tree in
        tree.texts.flatMap { file -> [Violation] in
            let present = places.filter(file.text.contains)
            guard !present.isEmpty else { return [] }
            return file.lines.enumerated().flatMap { index, line in
                present.filter { line.beginsAPath($0) }.map {
                    Violation(file.path, index + 1, "'\($0)' exists on one machine only")
                }
            }
        }
    }

    static let readmes = Rule(
        "readmes", "Each module and tool has a README.md of at most 60 lines."
    ) { tree in
        let folders = Set(
            tree.sources.compactMap { file -> String? in
                let parts = file.path.split(separator: "/")
                guard parts.count > 2, ["Modules", "Tools"].contains(parts[0]) else { return nil }
                return "\(parts[0])/\(parts[1])"
            })
        return folders.flatMap { folder -> [Violation] in
            let path = "\(folder)/README.md"
            guard let readme = tree.text(path) else {
                return [
                    Violation(path, 1, "is missing: what the module is for, what it must never do, where to start")
                ]
            }
            let count = readme.lines.count
            return count > 61 ? [Violation(path, 61, "is longer than a screen (\(count) lines)")] : []
        }
    }
}

extension Substring {
    /// Whether a path starts here, and is not the middle of a longer one (`docs/work/`).
    fileprivate func beginsAPath(_ place: String) -> Bool {
        ranges(of: place).contains { range in
            guard place.hasPrefix("/"), range.lowerBound > startIndex else { return true }
            let before = self[index(before: range.lowerBound)]
            return !(before.isLetter || before.isNumber || "._-}*~)".contains(before))
        }
    }
}
