import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization

/// The OpenAPI 3.1 description of all endpoints, generated from their declarations.
///
/// Generated when first read, so that it does not delay the start.
final class OpenAPIDocument: Sendable {
    private let features: FeatureSet
    private let written = Mutex<Data?>(nil)
    /// The operations for the readable page `/api`.
    let operations: [Operation]

    struct Operation: Sendable {
        let method: String
        let contract: Contract
        let input: [FieldReader.Specification]
    }

    init(_ features: FeatureSet) {
        self.features = features
        operations = features.features.flatMap { feature in
            feature.endpoints.queries.map { Operation(method: "GET", contract: $0.contract, input: $0.input) }
                + feature.endpoints.commands.map {
                    Operation(method: "POST", contract: $0.contract, input: $0.input)
                }
        }
    }

    var json: Data {
        get throws {
            try written.withLock { written in
                if let written { return written }
                let json = try write()
                written = json
                return json
            }
        }
    }

    private func write() throws -> Data {
        var paths: [String: [String: Any]] = [:]
        for feature in features.features {
            for query in feature.endpoints.queries {
                paths[query.contract.path, default: [:]]["get"] = operation(
                    query.contract, query.input, query.output, tag: feature.id, isCommand: false)
            }
            for command in feature.endpoints.commands {
                paths[command.contract.path, default: [:]]["post"] = operation(
                    command.contract, command.input, command.output, tag: feature.id, isCommand: true)
            }
        }
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": [
                "title": "PinkTower", "version": "1",
                "description":
                    "Queries are GET, commands are POST. A command may carry an Idempotency-Key; an equal "
                    + "request under the same key gets the first answer again. Refusals are RFC 9457 problem documents.",
            ],
            "servers": [["url": "/"]],
            "security": [["session": []], ["bearer": []]],
            "tags": features.features.map { ["name": $0.id] },
            "paths": paths,
            "components": [
                "securitySchemes": [
                    "session": ["type": "apiKey", "in": "cookie", "name": SessionGate.accessCookie],
                    "bearer": ["type": "http", "scheme": "bearer"],
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "A personal API token, made in Settings. Each operation names its scope.",
                    ],
                ],
                "schemas": ["Problem": Self.problem],
            ],
        ]
        return try JSONSerialization.data(
            withJSONObject: document, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    }

    private func operation(
        _ contract: Contract, _ input: [FieldReader.Specification], _ output: Schema, tag: String, isCommand: Bool
    ) -> [String: Any] {
        let variables = Set(
            contract.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            })
        var parameters: [[String: Any]] = input.filter { variables.contains($0.name) }.map { field in
            ["name": field.name, "in": "path", "required": true, "schema": Self.schema(of: field)]
        }
        let rest = input.filter { !variables.contains($0.name) }
        var operation: [String: Any] = [
            "operationId": contract.name, "summary": contract.summary, "tags": [tag],
        ]
        if isCommand {
            parameters.append([
                "name": "Idempotency-Key", "in": "header", "required": false,
                "schema": ["type": "string", "minLength": 8, "maxLength": 100, "pattern": "^[!-~]+$"]
                    as [String: Any],
            ])
            let type = rest.contains { $0.type == .files } ? "multipart/form-data" : "application/json"
            operation["requestBody"] = [
                "required": rest.contains(where: \.isRequired),
                "content": [type: ["schema": Self.object(rest)]],
            ]
            operation["x-offline-capable"] = contract.isOfflineCapable
        } else {
            parameters += rest.map { field in
                ["name": field.name, "in": "query", "required": field.isRequired, "schema": Self.schema(of: field)]
            }
        }
        if !parameters.isEmpty { operation["parameters"] = parameters }
        operation["security"] = security(of: contract, isCommand: isCommand)
        operation["responses"] = [
            contract.isCreation ? "201" : "200": [
                "description": "Done", "content": Self.content(contract, output),
            ] as [String: Any],
            "default": [
                "description": "Refused; nothing was changed.",
                "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
            ] as [String: Any],
        ]
        return operation
    }

    /// The accepted credentials. A token's scope is named when tokens with it can be made.
    private func security(of contract: Contract, isCommand: Bool) -> [[String: Any]] {
        guard contract.access != .anyone else { return [[:]] }
        let person: [[String: Any]] = [["session": []], ["bearer": []]]
        let scope = features.features.tokenScope(of: contract, isCommand: isCommand)
        return person + (scope.map { [["token": [$0.text]]] } ?? [])
    }

    private static func content(_ contract: Contract, _ output: Schema) -> [String: Any] {
        guard contract.fileName == nil else {
            return ["*/*": ["schema": ["type": "string", "format": "binary"]]]
        }
        return ["application/json": ["schema": json(of: output)]]
    }

    private static func object(_ fields: [FieldReader.Specification]) -> [String: Any] {
        var object: [String: Any] = [
            "type": "object", "additionalProperties": false,
            "properties": Dictionary(
                fields.map { ($0.name, schema(of: $0)) }, uniquingKeysWith: { first, _ in first }),
        ]
        let required = fields.filter(\.isRequired).map(\.name)
        if !required.isEmpty { object["required"] = required }
        return object
    }

    private static func schema(of field: FieldReader.Specification) -> [String: Any] {
        var schema: [String: Any]
        switch field.type {
        case .text: schema = ["type": "string"]
        case .secret: schema = ["type": "string", "format": "password"]
        case .email: schema = ["type": "string", "format": "email"]
        case .id: schema = ["type": "string", "format": "uuid"]
        case .day: schema = ["type": "string", "format": "date"]
        case .instant: schema = ["type": "string", "format": "date-time"]
        case .integer: schema = ["type": "integer"]
        case .number: schema = ["type": "number"]
        case .flag: schema = ["type": "boolean"]
        case .choice: schema = ["type": "string"]
        case .textList: schema = ["type": "array", "items": ["type": "string", "maxLength": 200]]
        case .idList: schema = ["type": "array", "items": ["type": "string", "format": "uuid"]]
        case .objectList: schema = ["type": "array", "items": object(field.fields)]
        case .files:
            schema = ["type": "array", "items": ["type": "string", "format": "binary"]]
        }
        let isList = schema["type"] as? String == "array"
        if let length = field.minLength { schema["minLength"] = length }
        if let length = field.maxLength { schema["maxLength"] = length }
        if let bound = field.minimum { schema["minimum"] = bound }
        if let bound = field.maximum { schema[isList ? "maxItems" : "maximum"] = bound }
        if let choices = field.choices { schema["enum"] = choices }
        return schema
    }

    private static func json(of schema: Schema) -> [String: Any] {
        switch schema {
        case .text(let format):
            var text: [String: Any] = ["type": "string"]
            if let format { text["format"] = format }
            return text
        case .choice(let choices): return ["type": "string", "enum": choices]
        case .integer: return ["type": "integer"]
        case .number: return ["type": "number"]
        case .flag: return ["type": "boolean"]
        case .list(let item): return ["type": "array", "items": json(of: item)]
        case .map(let value): return ["type": "object", "additionalProperties": json(of: value)]
        case .object(let members):
            return [
                "type": "object",
                "properties": Dictionary(
                    members.map { ($0.name, json(of: $0.schema)) }, uniquingKeysWith: { first, _ in first }),
                "required": members.filter(\.isRequired).map(\.name),
            ]
        case .anything: return [:]
        }
    }

    private static var problem: [String: Any] {
        [
            "type": "object",
            "required": ["type", "title", "status", "code"],
            "properties": [
                "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                "code": ["type": "string"],
                "errors": [
                    "type": "array",
                    "items": [
                        "type": "object", "required": ["field", "code", "message"],
                        "properties": [
                            "field": ["type": "string"], "code": ["type": "string"], "message": ["type": "string"],
                        ],
                    ] as [String: Any],
                ] as [String: Any],
            ] as [String: Any],
        ]
    }
}
