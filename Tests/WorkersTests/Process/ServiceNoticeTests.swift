import Glibc
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct ServiceNoticeTests {
    private let folder = TestFolder()

    /// A manager that listens at an address.
    private final class Manager {
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init(at address: Pathname) throws {
            let place = try #require(ServiceNotice.socketAddress(address))
            let result = withUnsafePointer(to: place.address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, place.bytes)
                }
            }
            #expect(result == 0)
        }

        deinit { close(descriptor) }

        /// The next message; `nil` where there is none.
        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    @Test func noticesReachFileSocket() throws {
        let address = folder.path("notify")
        let manager = try Manager(at: address)
        #expect(TestWorld.tree(folder.path) == ["notify"])
        ServiceNotice.send("READY=1", to: address)
        ServiceNotice.send("STOPPING=1\nSTATUS=3 recordings, Ü", to: address)
        #expect(manager.next() == "READY=1")
        #expect(manager.next() == "STOPPING=1\nSTATUS=3 recordings, Ü")
        #expect(manager.next() == nil)
    }

    @Test func noticesReachAbstractSocket() throws {
        let address = Pathname("@").appending(folder.path)
        let manager = try Manager(at: address)
        #expect(TestWorld.tree(folder.path).isEmpty)
        ServiceNotice.send("READY=1", to: address)
        #expect(manager.next() == "READY=1")
    }

    /// The system takes such a name by its length: one zero more would be another name.
    @Test func socketAddressLengthMatchesName() throws {
        #expect(try #require(ServiceNotice.socketAddress("/a")).bytes == 5)
        #expect(try #require(ServiceNotice.socketAddress("@a")).bytes == 4)
    }

    @Test func unreachableAddressIsIgnored() {
        let long = Pathname("/" + String(repeating: "a", count: 107))
        let addresses: [Pathname?] = [
            nil, "", "@", "notify", "vsock:2:1234", long, folder.path("gone"), folder.path,
            Pathname("@").appending(folder.path),
        ]
        for address in addresses { ServiceNotice.send("READY=1", to: address) }
    }

    @Test func fullSocketQueueDoesNotBlockSending() throws {
        let address = folder.path("notify")
        let manager = try Manager(at: address)
        // More than it keeps: by default ten, and rarely more than some hundreds.
        let settings = TestFolder.bytes(of: "/proc/sys/net/unix/max_dgram_qlen")
        let text = String(decoding: settings.prefix { $0 != 0x0A }, as: UTF8.self)
        let kept = try #require(Int(text))
        for number in 0...(kept + 1) { ServiceNotice.send("\(number)", to: address) }
        #expect(manager.next() == "0")
    }

    @Test func addressIsReadFromNotifySocketVariable() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            #expect(ServiceNotice.address == nil)
            ServiceNotice.send("READY=1")
            let folder = TestFolder()
            let manager = try Manager(at: folder.path("notify"))
            setenv("NOTIFY_SOCKET", folder.path("notify").text, 1)
            ServiceNotice.send("READY=1")
            #expect(manager.next() == "READY=1")
        }
    }
}
