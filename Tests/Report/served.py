"""A web server of a folder for the tests: GET with ranges, as any real one has."""
import http.server
import os
import re
import threading
import urllib.parse


class Handler(http.server.SimpleHTTPRequestHandler):
    requests = []

    def log_message(self, *_):
        Handler.requests.append(self.path)

    def translate_path(self, path):
        # Names are bytes, which need not be UTF-8.
        place = os.fsdecode(urllib.parse.unquote_to_bytes(path.split("?")[0].split("#")[0]))
        parts = [part for part in place.split("/") if part not in ("", ".", "..")]
        return os.path.join(self.directory, *parts) + ("/" if place.endswith("/") else "")

    def do_GET(self):
        path = self.translate_path(self.path)
        if os.path.isdir(path) or not os.path.isfile(path):
            return super().do_GET()
        size = os.path.getsize(path)
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        first = int(found[1]) if found else 0
        last = min(size - 1, int(found[2])) if found and found[2] else size - 1
        self.send_response(206 if found else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(last - first + 1))
        if found:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        self.log_message()
        with open(path, "rb") as file:
            file.seek(first)
            try:
                self.wfile.write(file.read(last - first + 1))
            except (BrokenPipeError, ConnectionResetError):
                pass


def serve(folder):
    """Serves a folder on a port of its own, and returns its address."""
    def handler(*arguments):
        return Handler(*arguments, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"
