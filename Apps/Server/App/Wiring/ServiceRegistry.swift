import FeatureKit
import FeatureRuntime

/// The services of a server while it is built, each under the protocol that its users require.
///
/// A service is made when it is first requested, so the order in which blocks offer services does not matter.
final class ServiceRegistry {
    let ports: ServerPorts
    /// The features of all blocks, complete when every feature is built.
    let allFeatures = AllFeatures(kernelRecords: KernelRecordStore.kinds)
    /// The blocks that are switched on.
    let blocks: Set<String>

    private struct Offer {
        let make: () throws -> Any
        var made: Any?
    }
    private var offers: [ObjectIdentifier: [Offer]] = [:]
    /// The types of the services that are being made, the outermost first.
    private var making: [Any.Type] = []

    /// A reason why the server cannot be built. It is an error of the program, not of the configuration.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    init(_ ports: ServerPorts, blocks: Set<String>) {
        self.ports = ports
        self.blocks = blocks
    }

    /// Whether a block is compiled in and switched on.
    func isOn(_ block: String) -> Bool { blocks.contains(block) }

    /// Offers a service under a protocol. The wiring of the block itself may also use the implementation's type.
    func offer<Service>(_ type: Service.Type, _ make: @escaping () throws -> Service) {
        offers[ObjectIdentifier(type), default: []].append(Offer(make: make))
    }

    /// Returns a service that a block needs. Throws `Fault` if no block offers it.
    func require<Service>(_ type: Service.Type = Service.self) throws -> Service {
        guard let service = try find(type) else { throw Fault(description: "No block offers \(type).") }
        return service
    }

    /// Returns a service; `nil` if no block that is switched on offers it. Throws `Fault` if two do.
    ///
    /// Callers name the type: in `find() ?? Nobody()` the compiler would infer `Nobody`.
    func find<Service>(_ type: Service.Type) throws -> Service? {
        let services = try all(type)
        guard services.count < 2 else { throw Fault(description: "Two blocks offer \(type).") }
        return services.first
    }

    /// Returns every service of a type, for types that several blocks may offer, such as sources of graded items.
    func all<Service>(_ type: Service.Type = Service.self) throws -> [Service] {
        let key = ObjectIdentifier(type)
        guard let offered = offers[key] else { return [] }
        guard !making.contains(where: { $0 == type }) else {
            let names = (making + [type]).map { "\($0)" }.joined(separator: " needs ")
            throw Fault(description: "Services need each other in a circle: \(names).")
        }
        making.append(type)
        defer { making.removeLast() }
        return try offered.enumerated().map { place, offer in
            let service = try offer.made ?? offer.make()
            offers[key]?[place].made = service
            guard let service = service as? Service else {
                throw Fault(description: "The service that is offered as \(type) is of another type.")
            }
            return service
        }
    }
}
