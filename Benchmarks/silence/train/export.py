"""Writes a trained network as Swift source, and what it must answer as a test's golden values.

usage: export.py NETWORK.pt[,NETWORK.pt] NetworkWeights.swift GoldenLogits.swift [THRESHOLD]

The threshold becomes the logit 0. Weights are rounded to half precision. They ship as text in a source file, since a resource beside
the binary would have to travel with it, and an array of thousands of literals takes the compiler
long.
"""

import base64
import sys

import numpy as np
import torch

import train

# What the loops of the Swift program are written for.
WIDTH = 32

SWIFT = '''/// The weights of the speech network, written by Benchmarks/silence/train/export.py.
///
/// They are stored as text: a resource would need a file beside the binary, and thousands of
/// literals are slow to compile.
enum NetworkWeights {{
    static let blocks = {blocks}

    /// The weights in the order of `SpeechNetwork`.
    static func decoded() -> [Float] {{
        PackedFloats.floats(halves: PackedFloats.bytes(base64: text + rest))
    }}

    /// Little-endian half-precision numbers in base64; the rest is in a file of its own.
    private static let text = """
{text}
        """
}}
'''

REST = '''/// Written by Benchmarks/silence/train/export.py.
extension NetworkWeights {{
    /// What follows the other file's text.
    static let rest = """
{text}
        """
}}
'''

# So that both files are of usual length.
LINES = 190

GOLDEN = '''/// What the script that trains the network says of inputs that any program can make, written by
/// Benchmarks/silence/train/export.py.
enum GoldenLogits {{
    static let frames = {frames}
    /// Of every seventh frame.
    static let values: [Float] = [
{values}
    ]
}}
'''


def packed(network):
    """All weights in the order in which the Swift program reads them."""
    def swap(tensor, *order):
        return tensor.detach().permute(*order).reshape(-1).numpy()

    parts = [swap(network.front.weight, 2, 1, 0), network.front.bias.detach().numpy()]
    for along, across in zip(network.along, network.across):
        parts += [swap(along.weight, 2, 1, 0), along.bias.detach().numpy()]
        parts += [swap(across.weight, 2, 1, 0), across.bias.detach().numpy()]
    parts += [swap(network.back.weight, 2, 0, 1), network.back.bias.detach().numpy()]
    return np.concatenate(parts)


def golden_inputs(frames):
    """Inputs that need nothing but whole numbers, a few of them large."""
    places = np.arange(frames * train.INPUTS, dtype=np.uint64)
    hashed = (places * np.uint64(2654435761)) % np.uint64(2**32) >> np.uint64(16)
    strength = ((places // np.uint64(train.INPUTS) // np.uint64(40)) % np.uint64(4))
    return ((hashed.astype(np.float32) / 32768 - 1) * strength.astype(np.float32)).reshape(
        frames, train.INPUTS)


def load(path, threshold):
    network, blocks = train.loaded(path)
    with torch.no_grad():
        network.back.bias -= threshold
        for parameter in network.parameters():
            parameter.copy_(parameter.half().float())
    width = network.back.in_channels
    if width != WIDTH:
        sys.exit(f"{path}: it is {width} channels wide, and has to be {WIDTH}")
    return network, blocks


def main(path, swift, golden, threshold=0):
    torch.set_num_threads(1)
    network, blocks = load(path, float(threshold))
    data = packed(network).astype("<f2").tobytes()
    text = base64.b64encode(data).decode()
    lines = [text[i:i + 90] for i in range(0, len(text), 90)]
    parts = ["\\\n".join("        " + line for line in own)
             for own in (lines[:LINES], lines[LINES:])]
    with open(swift, "w") as file:
        file.write(SWIFT.format(blocks=blocks, text=parts[0]))
    with open(train.rest_of(swift), "w") as file:
        file.write(REST.format(text=parts[1]))
    frames = 601
    answers = train.logits_of(network, golden_inputs(frames))[:frames:7]
    rows = ["        " + ", ".join(f"{v:.5f}" for v in answers[i:i + 8]) + ","
            for i in range(0, len(answers), 8)]
    with open(golden, "w") as file:
        file.write(GOLDEN.format(frames=frames, values="\n".join(rows)))
    print(f"{len(data)} bytes, {len(lines)} lines")


if __name__ == "__main__":
    main(*sys.argv[1:])
