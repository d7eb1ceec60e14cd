"""Asks a server of pages for what it may give, and for what it may not.

usage: server.py TAPEDECK CORPUS
"""
import hashlib
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from pages import Pages, attempt, status, tapedeck

CORPUS = pathlib.Path(sys.argv[2])


def ask(pages, path, method="GET", **headers):
    """The answer to one request, its path sent as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=30)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.content = answer.read()
    connection.close()
    return answer


def link(path):
    return urllib.parse.quote(bytes(path))


def ranges_are_byte_for_byte(library, pages):
    """Of originals, copies and recordings as WAV, whole and in parts."""
    chance, count = random.Random(7), 0
    places = []
    for path in sorted(library.rglob("*")):
        relative = path.relative_to(library)
        if not path.is_file() or relative.parts[0] == "tapedeck" or not path.stat().st_size:
            continue
        address = "/recordings/" + link(relative)
        if ask(pages, address, "HEAD").status == 200:
            places.append((address, path.read_bytes()))
    assert len(places) > 25, len(places)
    for path in sorted((library / "tapedeck").rglob("*")):
        if path.suffix in (".wav", ".flac") and path.name.count(".") > 1:
            places.append(("/output/" + link(path.relative_to(library / "tapedeck")),
                           path.read_bytes()))
    # Decoded on the way: what the whole is, each part of it is.
    for name in ("interviews", "formats", "calls"):
        for path in sorted((library / name).iterdir()):
            address = "/recordings/" + link(path.relative_to(library)) + "?wav"
            whole = ask(pages, address)
            if whole.status == 200:
                assert whole.content[:4] == b"RIFF" and whole.getheader("Content-Type") == "audio/wav"
                places.append((address, whole.content))
    for address, content in places:
        size = len(content)
        answer = ask(pages, address)
        assert answer.status == 200 and answer.content == content, address
        assert answer.getheader("Accept-Ranges") == "bytes"
        tag = answer.getheader("ETag")
        for _ in range(3):
            first = chance.randrange(size)
            last = min(size - 1, first + chance.randrange(70_000))
            for asked, given in ((f"bytes={first}-{last}", content[first:last + 1]),
                                 (f"bytes={first}-", content[first:]),
                                 (f"bytes=-{last - first + 1}", content[first - last - 1:])):
                answer = ask(pages, address, Range=asked)
                assert answer.status == 206, (address, asked, answer.status)
                start = size - len(given) if "=-" in asked else first
                assert answer.getheader("Content-Range") \
                    == f"bytes {start}-{start + len(given) - 1}/{size}"
                assert answer.content == given, (address, asked)
                count += 1
        assert ask(pages, address, Range=f"bytes={size}-").status == 416
        assert ask(pages, address, Range="bytes=0-0", If_Range='"another"').status == 200
        assert ask(pages, address, Range="bytes=0-0", If_Range=tag).status == 206
        answer = ask(pages, address, If_None_Match=tag)
        assert answer.status == 304 and not answer.content
        assert ask(pages, address, If_None_Match="W/" + tag).status == 304
        answer = ask(pages, address, "HEAD", Range="bytes=0-9")
        assert answer.status == 200 and answer.getheader("Content-Length") == str(size)
        assert ask(pages, address, Range=f"bytes=0-{2 ** 63 - 1}").content == content
    return f"{count} ranges of {len(places)} bodies"


def nothing_else_is_given(library, pages):
    """Paths out of the recordings and the output, in every spelling, and what no page shows."""
    secret = library.parent / "secret.wav"
    shutil.copy(library / "interviews/interview_mono_pcm16_44100hz.wav", secret)
    (library / "interviews/notes.txt").write_text("private")
    # A recording when it was processed, a link to somewhere else now; so is a folder.
    victim = library / "memos/memo_dc_offset_mono_pcm16_8000hz.wav"
    kept = victim.read_bytes()
    victim.unlink()
    victim.symlink_to(secret)
    (library / "elsewhere").symlink_to(library.parent)
    up = ["..", "%2e%2e", "%2E%2e", ".%2e", "%2e.", "..%2f", "%2e%2e%2f", "..%5c", "%252e%252e",
          "..;", "%c0%ae%c0%ae", "..%00", "....//", "%2e%2e%5c"]
    refused = []
    for place in ("output", "recordings"):
        for step in up:
            for depth in (1, 2, 3, 8):
                refused += [f"/{place}/" + "/".join([step] * depth) + "/secret.wav",
                            f"/{place}/interviews/" + "/".join([step] * depth) + "/etc/passwd"]
        refused += [f"/{place}//etc/passwd", f"/{place}/%2fetc%2fpasswd", f"/{place}/./x",
                    f"/{place}/{'a' * 5000}", f"/{place}/%", f"/{place}/%zz", f"/{place}/a%00b"]
    refused += [
        "//etc/passwd", "/etc/passwd", "/../etc/passwd", "etc/passwd", "http://127.0.0.1/output/",
        "file:///etc/passwd", "*", "/recordings/" + link(secret), "/output/../recordings/",
        # There, but not what a page shows.
        "/recordings/interviews/notes.txt", "/recordings/", "/recordings/interviews/",
        "/output/.tapedeck", "/output/.tapedeck.lock", "/recordings/tapedeck/.tapedeck",
        "/recordings/tapedeck/index.html", "/output/none/", "/output/none.wav",
        # Links that lead out.
        "/recordings/memos/" + victim.name, "/recordings/memos/" + victim.name + "?wav",
        "/output/memos/" + victim.name + ".report.js", "/recordings/elsewhere/secret.wav",
    ]
    by_status = {}
    for path in refused:
        answer = ask(pages, path)
        assert answer.status in (400, 403, 404, 409), (path, answer.status)
        assert b"private" not in answer.content and b"root:" not in answer.content, path
        # What is no request of HTTP at all is refused without words.
        assert answer.content.startswith(str(answer.status).encode()) or answer.status == 400, path
        by_status[answer.status] = by_status.get(answer.status, 0) + 1
    assert ask(pages, "/recordings/memos/" + victim.name).status == 403
    victim.unlink()
    victim.write_bytes(kept)
    # Nor may it be asked to change anything, or by a name that is not of this machine.
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
        answer = ask(pages, "/output/", method)
        assert answer.status in (400, 405), (method, answer.status)
    for host in ("evil.example", "evil.example:8017", "127.0.0.1.evil.example", "", "192.168.0.9"):
        assert ask(pages, "/output/", Host=host).status == 403, host
    for host in ("localhost", f"localhost:{pages.port}", "[::1]:1", "127.0.0.1"):
        assert ask(pages, "/output/", Host=host).status == 200, host
    answer = ask(pages, "/output/")
    for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Referrer-Policy"):
        assert answer.getheader(name), name
    return f"{len(refused)} paths " + str(by_status)


def other_addresses_need_a_token(library, _):
    """One of its own that is printed, or that of a file; wrong ones open nothing."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "token"
        file.write_text("a-token-of-some-length\n")
        for arguments in (["--address", "0.0.0.0:0"],
                          ["--address", "127.0.0.1:0", "--token-file", file]):
            with Pages("serve", library, *arguments) as pages:
                given = pages.address.partition("?token=")[2]
                assert bool(given) == ("0.0.0.0:0" in arguments), pages.address
                token = given or "a-token-of-some-length"
                assert len(token) >= 16
                places = ["/", "/output/", "/output/report.js", "/output/interviews/report-events",
                          "/recordings/interviews/interview_mono_pcm16_44100hz.wav"]
                wrong = ["", "x", token[:-1], token + "x", token[:-1] + "_", token.upper(), "null"]
                for path in places:
                    refusals = [{}] + [{"Cookie": f"tapedeck-0={text}"} for text in wrong]
                    refusals += [{"Authorization": f"Bearer {text}"} for text in wrong]
                    refusals += [{"Authorization": token}, {"Cookie": f"other={token}"}]
                    for headers in refusals:
                        assert ask(pages, path, **headers).status == 403, (path, headers)
                        count += 1
                    for text in wrong:
                        assert ask(pages, f"{path}?token={text}").status == 403
                        count += 1
                answer = ask(pages, f"/output/?token={token}")
                assert answer.status == 303 and answer.getheader("Location") == "/output/"
                cookie = answer.getheader("Set-Cookie")
                assert "HttpOnly" in cookie and "SameSite" in cookie
                assert ask(pages, "/output/", Cookie=cookie.split(";")[0]).status == 200
                assert ask(pages, "/output/", Authorization=f"Bearer {token}").status == 200
        for text in ("short", "with spaces in it and more", ""):
            file.write_text(text)
            done = subprocess.run([sys.argv[1], "serve", library, "--token-file", file],
                                  capture_output=True, text=True)
            assert done.returncode == 64 and "holds no token" in done.stderr, done
    return f"{count} refusals"


def hostile_clients_are_left(library, pages):
    """Heads that never end or are too large, bodies, too many connections, and readers that stop."""
    def raw(text):
        connection = socket.create_connection(("127.0.0.1", pages.port), timeout=40)
        connection.sendall(text)
        return connection

    def rest(connection):
        content = b""
        try:
            while part := connection.recv(65536):
                content += part
        except ConnectionResetError:
            pass
        return content
    head = b"GET /output/ HTTP/1.1\r\nHost: localhost\r\n"
    assert rest(raw(head + b"X: " + b"a" * 40_000 + b"\r\n\r\n")).startswith(b"HTTP/1.1 4")
    assert rest(raw(head + b"X: a\r\n" * 200 + b"\r\n")).startswith(b"HTTP/1.1 4")
    assert rest(raw(b"\x16\x03\x01 nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400")
    assert b" 413 " in rest(raw(head + b"Content-Length: 5\r\n\r\nhello"))
    assert ask(pages, "/output/report-events", "HEAD").status == 405
    assert b"HTTP/1.1 200" in rest(raw(head + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n"))
    assert ask(pages, "/?x=1").status == 303 and ask(pages, "/favicon.ico").status == 204
    # Slow ones: a byte now and then does not keep a connection.
    slow = [raw(head), raw(head), raw(head + b"Content-Length: 5\r\n\r\n")]
    start = time.monotonic()
    for connection in slow:
        connection.settimeout(60)
        assert rest(connection) in (b"",), "a head that never ends was answered"
    assert 15 < time.monotonic() - start < 40, time.monotonic() - start
    # Many: those beyond the limit are closed, those within it are answered, and memory is bounded.
    before = pages.megabytes()
    many = [raw(b"") for _ in range(400)]
    time.sleep(0.5)
    closed = 0
    for connection in many:
        connection.setblocking(False)
        try:
            closed += connection.recv(1) == b""
        except BlockingIOError:
            pass
        except ConnectionResetError:
            closed += 1
    assert 130 <= closed <= 160, closed
    for connection in many:
        connection.close()
    # Readers that ask for much and read nothing.
    address = b"/recordings/interviews/interview_mono_pcm16_44100hz.wav"
    stalled = []
    for _ in range(100):
        connection = raw(b"GET " + address + b" HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1)
        stalled.append(connection)
    assert ask(pages, "/output/").status == 200
    grown = pages.megabytes() - before
    assert grown < 80, grown
    for connection in stalled:
        connection.close()
    return f"{closed} of 400 connections closed, {grown} MB more with 100 stalled readers"


with tempfile.TemporaryDirectory() as folder:
    library = pathlib.Path(folder) / "recordings"
    shutil.copytree(CORPUS, library, ignore=shutil.ignore_patterns("*.py", "*.md"))
    tapedeck("run", library, "--quiet")
    before = {path: hashlib.sha256(path.read_bytes()).digest()
              for path in library.rglob("*") if path.is_file()}
    with Pages("serve", library, "--address", "127.0.0.1:0") as pages:
        for test in (ranges_are_byte_for_byte, nothing_else_is_given, other_addresses_need_a_token,
                     hostile_clients_are_left):
            attempt(test, library, pages)
    (library / "interviews/notes.txt").unlink()
    (library / "elsewhere").unlink()
    after = {path: hashlib.sha256(path.read_bytes()).digest()
             for path in library.rglob("*") if path.is_file()}

    def changes_nothing():
        assert before == after, set(before.items()) ^ set(after.items())
        return f"{len(after)} files"
    attempt(changes_nothing)
sys.exit(status())
