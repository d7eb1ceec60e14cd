/// What is left of bytes, and so many zero bits, when a polynomial is taken off them.
func remainder(_ bytes: [UInt8], by polynomial: Int, bits: Int) -> Int {
    var rest = 0
    for bit in 0..<8 * bytes.count + bits {
        let isData = bit < 8 * bytes.count
        let next = isData ? Int(bytes[bit / 8] >> (7 - bit % 8)) & 1 : 0
        rest = rest << 1 | next
        if rest >> bits & 1 == 1 { rest ^= polynomial }
    }
    return rest
}
