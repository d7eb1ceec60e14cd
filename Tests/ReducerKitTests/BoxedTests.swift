import Foundation
import ReducerKit
import Testing

@Suite struct BoxedTests {
    private struct Large: Hashable, Codable, Sendable {
        var number = 1
        var words: [String] = ["a"]
        var missing: String?
    }

    private final class Marker {}

    @Test func changeDoesNotAffectOtherCopies() {
        let original = Boxed(Large())
        var copy = original
        copy.value.number = 2
        copy.value.words.append("b")
        #expect(original.value == Large())
        #expect(copy.value == Large(number: 2, words: ["a", "b"]))
        var third = copy
        third.value = Large(number: 3)
        #expect(copy.value.number == 2 && third.value.number == 3)
    }

    @Test func uniquelyHeldValueIsModifiedInPlace() {
        var box = Boxed(Array(repeating: 0, count: 100))
        func address() -> UInt {
            box.value.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        let before = address()
        for index in 0..<100 { box.value[index] = index }
        #expect(address() == before)
        let other = box
        box.value[0] = 7
        #expect(address() != before && other.value[0] == 0)
    }

    @Test func valueIsReleasedWithItsLastHolder() {
        weak var marker: Marker?
        do {
            let box = Boxed(Marker())
            marker = box.value
            var copy = box
            copy.value = Marker()
            #expect(marker === box.value && marker !== copy.value)
        }
        #expect(marker == nil)
    }

    @Test func boxesWithEqualValuesAreEqual() {
        let box = Boxed(Large())
        var same = Boxed(Large(number: 2))
        #expect(box != same)
        same.value.number = 1
        #expect(box == same && box.hashValue == same.hashValue)
        #expect(Set([box, same, Boxed(Large(number: 3))]).count == 2)
    }

    /// A value that is not equal to itself shows that one that is held twice is not looked at.
    @Test func equalityChecksReferencesFirst() {
        let box = Boxed(Double.nan)
        let copy = box
        #expect(box == copy)
        #expect(box != Boxed(Double.nan))
    }

    @Test func boxIsEncodedAsItsBareValue() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let value = Large(number: 5, words: ["x"])
        let bare = try encoder.encode(["one": value])
        #expect(try encoder.encode(["one": Boxed(value)]) == bare)
        let back = try JSONDecoder().decode([String: Boxed<Large>].self, from: bare)
        #expect(back == ["one": Boxed(value)])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Boxed<Large>.self, from: Data("{}".utf8))
        }
    }
}
