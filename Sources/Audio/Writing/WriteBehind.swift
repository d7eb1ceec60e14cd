import CSync
import Glibc

/// The end of a new file, gathered until there is enough of it to be worth a system call.
///
/// The library writes its headers two or three times and its samples in small pieces. A file that
/// fits in here is written at once. Of a longer one each byte leaves once, in order, as long as the
/// library does not change what has left, so that who wants to know what is in the file need not
/// read it again. Where the file system offers it, a long file goes past the system's cache, which
/// has its pages for those who read.
///
/// Memory is a megabyte at most, allocated once. For one thread at a time.
final class WriteBehind {
    /// What every disk writes at once, and as much of the beginning as is remembered: of a longer
    /// header it is not known whether it is the same again.
    static let pageBytes = 4096
    /// As many bytes are gathered.
    static let mostBytes = 1 << 20
    /// Files from this size on leave the cache alone: what is shorter costs little there, and who
    /// made it may want to hear it.
    static let directBytes: Int64 = 4 << 20

    /// Writes bytes at a place in the file as `pwrite` does.
    typealias Put = (UnsafeRawBufferPointer, Int64) -> Int

    private let descriptor: Int32
    private let put: Put
    /// Aligned as direct writing wants it.
    private let bytes: UnsafeMutableRawBufferPointer
    /// Where the gathered bytes lie in the file.
    private var start: Int64 = 0
    private var count = 0
    /// What the file begins with, once that has left.
    private var head: [UInt8] = []
    private let told: (UnsafeRawBufferPointer) -> Void
    private let isLengthKnown: Bool
    /// Whether `told` has heard of all that has left, in order, and nothing of it was changed
    /// since.
    private(set) var isToldInOrder = true
    private(set) var isDirect = false

    /// For an empty file.
    /// - Parameters:
    ///   - expected: The bytes of its sound. Where that is not known beforehand, the header is
    ///     written in the end, and only what fits in here is told in order.
    ///   - most: So many bytes are gathered at most, a whole number of pages.
    ///   - put: The system call, for tests.
    ///   - told: Gets the bytes as they leave.
    init(
        to descriptor: Int32, expected: Int64?, most: Int = WriteBehind.mostBytes,
        put: Put? = nil, told: @escaping (UnsafeRawBufferPointer) -> Void
    ) {
        self.descriptor = descriptor
        self.put = put ?? { pwrite(descriptor, $0.baseAddress, $0.count, off_t($1)) }
        self.told = told
        isLengthKnown = expected != nil
        let page = WriteBehind.pageBytes
        // Two pages more than the samples take, for a header, which in CAF is a page.
        let pages = Int(min(Int64(most), max(0, expected ?? Int64(most)))) / page + 3
        let isLong = (expected ?? 0) >= WriteBehind.directBytes
        // Only where it is of use: memory that was aligned is not found again (`AlignedNumbers`).
        bytes = .allocate(byteCount: min(pages * page, most), alignment: isLong ? page : 1)
        if isLong {
            isDirect = begin_direct_writing(descriptor, UInt32(WriteBehind.pageBytes)) != 0
        }
    }

    deinit {
        bytes.deallocate()
    }

    /// Where the file ends with what is gathered.
    private var end: Int64 { start + Int64(count) }

    /// Takes in bytes for `place` in the file; false, with the system's error number in `errno`,
    /// where they or those before them cannot be written.
    func write(_ source: UnsafeRawBufferPointer, at place: Int64) -> Bool {
        var source = source[...]
        var place = place
        if place < start {
            let before = source.prefix(Int(min(Int64(source.count), start - place)))
            guard rewrite(UnsafeRawBufferPointer(rebasing: before), at: Int(place)) else {
                return false
            }
            source = source.dropFirst(before.count)
            place += Int64(before.count)
        }
        if place > end, !source.isEmpty {
            guard leaveGap(to: place) else { return false }
        }
        while !source.isEmpty {
            if place - start == Int64(bytes.count) {
                guard flush() else { return false }
            }
            // From the first gathered byte to behind the last, and there is room there.
            let offset = Int(place - start)
            let taken = source.prefix(bytes.count - offset)
            UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + taken.count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: taken))
            count = max(count, offset + taken.count)
            source = source.dropFirst(taken.count)
            place += Int64(taken.count)
        }
        return true
    }

    /// Up to so many of the file's first bytes, a page at most.
    func beginning(_ most: Int) -> [UInt8] {
        start == 0 ? Array(bytes[..<count].prefix(most)) : Array(head.prefix(most))
    }

    /// Writes what is gathered; false as for `write(_:at:)`.
    func finish() -> Bool {
        // What is left is seldom a whole number of a disk's blocks.
        endDirectWriting()
        return flush()
    }
}

// MARK: - The way into the file

extension WriteBehind {
    /// Writes what is gathered, and goes on behind it.
    private func flush() -> Bool {
        let leaving = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        guard !leaving.isEmpty else { return true }
        guard putAll(leaving, at: start) else { return false }
        if start > 0, !isLengthKnown { isToldInOrder = false }
        if isToldInOrder { told(leaving) }
        if start == 0 { head = Array(leaving.prefix(WriteBehind.pageBytes)) }
        start += Int64(count)
        count = 0
        return true
    }

    /// Changes what has left already; most of the time the library only repeats itself.
    private func rewrite(_ source: UnsafeRawBufferPointer, at place: Int) -> Bool {
        let end = place + source.count
        if end <= head.count, head[place..<end].elementsEqual(source) { return true }
        isToldInOrder = false
        endDirectWriting()
        guard putAll(source, at: Int64(place)) else { return false }
        if place < head.count {
            let known = place..<min(end, head.count)
            head.replaceSubrange(known, with: source.prefix(known.count))
        }
        return true
    }

    /// Goes on further behind, as nobody does who may be told in order.
    private func leaveGap(to place: Int64) -> Bool {
        isToldInOrder = false
        endDirectWriting()
        guard flush() else { return false }
        start = place
        return true
    }

    private func endDirectWriting() {
        guard isDirect else { return }
        isDirect = false
        end_direct_writing(descriptor)
    }

    /// Writes all of it; where that cannot be done past the cache, through it.
    private func putAll(_ source: UnsafeRawBufferPointer, at place: Int64) -> Bool {
        var done = 0
        while done < source.count {
            let left = UnsafeRawBufferPointer(rebasing: source[done...])
            let moved = put(left, place + Int64(done))
            if moved > 0 {
                done += moved
                // What follows would not be aligned.
                if !moved.isMultiple(of: WriteBehind.pageBytes) { endDirectWriting() }
            } else if moved < 0, errno == EINVAL, isDirect {
                endDirectWriting()
            } else if moved < 0, errno == EINTR {
                continue
            } else {
                // That nothing was written is no error to the system.
                if moved == 0 { errno = ENOSPC }
                return false
            }
        }
        return true
    }
}
