import Domain
public import Foundation

/// Lists of values, of objects and of files.
extension FieldReader {
    /// Reads a list of UUIDs without repetitions, in the order given; an absent list is empty.
    public mutating func ids(_ name: String, max: Int = 500) -> [UUID] {
        declare(name, .idList, isRequired: false) { $0.maximum = max }
        var ids: [UUID] = []
        var seen: Set<UUID> = []
        for (index, item) in items(name, max: max).enumerated() {
            guard case .text(let text) = item, let id = UUID(text: text) else {
                fault("\(name)[\(index)]", "id")
                continue
            }
            if seen.insert(id).inserted { ids.append(id) }
        }
        return ids
    }

    /// Reads a list of short texts, at most 200 bytes each, in the order given; an absent list is empty.
    public mutating func texts(_ name: String, max: Int) -> [String] {
        declare(name, .textList, isRequired: false) { $0.maximum = max }
        return items(name, max: max).compactMap { item in
            if case .text(let text) = item, text.utf8.count <= 200 { return text }
            fault(name, "text")
            return nil
        }
    }

    /// Returns the items of a list, which a form may send as a single value; an absent list is empty.
    private mutating func items(_ name: String, max: Int) -> [InputValue] {
        guard let value = take(name) else { return [] }
        let items: [InputValue]
        switch value {
        case .list(let list): items = list
        case .text where isForm: items = [value]
        default:
            fault(name, "list")
            return []
        }
        guard items.count <= max else {
            fault(name, "tooMany", [.number(max)])
            return []
        }
        return items
    }

    /// Reads a list of objects, of which `make` reads each; an absent list is empty.
    public mutating func list<Item>(
        _ name: String, max: Int, _ make: (inout FieldReader) -> Item
    ) -> [Item] {
        if isDescribing {
            var item = FieldReader(object: [:], isForm: false, isDescribing: true, path: "")
            _ = make(&item)
            let fields = item.specifications
            declare(name, .objectList, isRequired: false) {
                $0.maximum = max
                $0.fields = fields
            }
            return []
        }
        guard let value = take(name) else { return [] }
        guard case .list(let items) = value else {
            fault(name, "list")
            return []
        }
        guard items.count <= max else {
            fault(name, "tooMany", [.number(max)])
            return []
        }
        var result: [Item] = []
        for (index, item) in items.enumerated() {
            guard case .object(let object) = item else {
                fault("\(name)[\(index)]", "object")
                continue
            }
            var reader = FieldReader(
                object: object, isForm: isForm, isDescribing: false, path: "\(path)\(name)[\(index)].")
            result.append(make(&reader))
            reader.refuseUnknownFields()
            faults += reader.faults
        }
        return result
    }

    /// Reads the files of a multipart form, at least one.
    public mutating func files(_ name: String, max: Int) -> [UploadedFile] {
        declare(name, .files) { $0.maximum = max }
        let files = checkedFiles(name, max: max)
        return files.isEmpty ? missing(name, []) : files
    }

    /// Reads the files of a multipart form; an absent list is empty.
    public mutating func optionalFiles(_ name: String, max: Int) -> [UploadedFile] {
        declare(name, .files, isRequired: false) { $0.maximum = max }
        return checkedFiles(name, max: max)
    }

    private mutating func checkedFiles(_ name: String, max: Int) -> [UploadedFile] {
        let items: [InputValue]
        switch take(name) {
        case nil: items = []
        case .list(let list): items = list
        case .some(let one): items = [one]
        }
        var files: [UploadedFile] = []
        for item in items {
            guard case .file(let file) = item else {
                fault(name, "files")
                return []
            }
            // Browsers send an unnamed empty file if none was chosen.
            if !file.name.isEmpty { files.append(file) }
        }
        guard files.count <= max else {
            fault(name, "tooMany", [.number(max)])
            return []
        }
        return files
    }
}
