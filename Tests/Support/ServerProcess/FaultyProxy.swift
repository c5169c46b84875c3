import Dispatch
public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A proxy between a client and a server that can be moved to another port: cuts the network, loses answers, and
/// delivers requests twice.
public final class FaultyProxy: Sendable {
    public enum Fault: Sendable, Equatable {
        case none
        /// Answers no request.
        case cut
        /// Of the commands, every third loses its answer, every fourth is delivered twice, every fifth is lost.
        case mixed
        /// Of the parts of files, every second arrives by half and has no answer.
        case halved
        /// The next request to this path does not arrive and has no answer, until the client closes the connection. All other
        /// requests work.
        case ignoresNext(String)
    }

    private struct State {
        var target: Int
        var fault: Fault = .none
        var commands = 0
        var parts = 0
        /// The sockets of open connections, which a cut closes.
        var open: Set<Int32> = []
    }
    private let state: Mutex<State>
    private let listener: Int32
    public let port: Int

    public init(to target: Int) throws {
        state = Mutex(State(target: target))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, length) = (listener, size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard bound else { throw RealServer.Failure(description: "no port for the proxy") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in accept() }.start()
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    public var url: URL { get throws { try RealServer.url(port) } }

    public func move(to target: Int) { state.withLock { $0.target = target } }

    public func set(_ fault: Fault) {
        let open = state.withLock { state in
            state.fault = fault
            return fault == .cut ? state.open : []
        }
        for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// The present fault.
    public var fault: Fault { state.withLock { $0.fault } }

    /// The number of parts of files that clients began to send.
    public var parts: Int { state.withLock { $0.parts } }

    public func close() {
        set(.cut)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        // Closed here and not by `close()`: another proxy could get the same descriptor while this one still accepts.
        defer { Glibc.close(listener) }
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            Thread { [self] in serve(client) }.start()
        }
    }

    /// Serves one request; the connection ends with its answer.
    private func serve(_ client: Int32) {
        state.withLock { _ = $0.open.insert(client) }
        defer {
            state.withLock { _ = $0.open.remove(client) }
            Glibc.close(client)
        }
        guard let request = Self.request(from: client) else { return }
        let isIgnored = state.withLock { state in
            guard case .ignoresNext(let path) = state.fault, Self.path(of: request) == path else { return false }
            state.fault = .none
            return true
        }
        if isIgnored { return Self.discardAll(from: client) }
        let (target, fault, number, parts) = state.withLock { state in
            if request.starts(with: Data("POST".utf8)) { state.commands += 1 }
            if request.starts(with: Data("PATCH".utf8)) { state.parts += 1 }
            return (state.target, state.fault, state.commands, state.parts)
        }
        if fault == .cut { return }
        if fault == .halved, request.starts(with: Data("PATCH".utf8)), parts.isMultiple(of: 2) {
            return exchange(request.prefix(request.count / 2), target, to: nil, isWhole: false)
        }
        let isCommand = fault == .mixed && request.starts(with: Data("POST".utf8))
        if isCommand, number % 5 == 0 { return }
        if isCommand, number % 4 == 0 { exchange(request, target, to: nil) }
        exchange(request, target, to: isCommand && number % 3 == 0 ? nil : client)
    }

    private static func path(of request: Data) -> String? {
        let line = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        return line.split(separator: " ").dropFirst().first.map(String.init)
    }

    private static func discardAll(from client: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while recv(client, &buffer, buffer.count, 0) > 0 {}
    }

    /// Reads a whole request and asks the server to close after its answer.
    private static func request(from client: Int32) -> Data? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let head = data.range(of: end) {
                let text = String(decoding: data[data.startIndex..<head.lowerBound], as: UTF8.self)
                var lines = text.components(separatedBy: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                let body = data[head.upperBound...]
                if body.count >= length {
                    lines.removeAll { $0.lowercased().hasPrefix("connection:") }
                    lines.append("Connection: close")
                    return Data(lines.joined(separator: "\r\n").utf8) + end + body
                }
            }
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            data.append(contentsOf: buffer.prefix(count))
        }
    }

    /// Sends a request to the server and passes the answer on, as it arrives.
    private func exchange(_ request: Data, _ target: Int, to client: Int32?, isWhole: Bool = true) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            state.withLock { _ = $0.open.remove(server) }
            Glibc.close(server)
        }
        var address = Self.address(target)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return }
        state.withLock { _ = $0.open.insert(server) }
        let flags = Int32(MSG_NOSIGNAL)
        guard Self.sendAll(Array(request), to: server, flags) else { return }
        guard isWhole else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(server, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if let client, !Self.sendAll(Array(buffer.prefix(count)), to: client, flags) { return }
        }
    }

    private static func sendAll(_ bytes: [UInt8], to descriptor: Int32, _ flags: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
