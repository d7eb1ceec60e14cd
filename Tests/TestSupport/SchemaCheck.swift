import Foundation
import Recordings

/// Holds manifests against the schema, and against the files that they name.
package enum SchemaCheck {
    package static let schema = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/manifest.schema.json")

    package static func run(_ folder: Pathname, filesToo: Bool = true) -> Tool.Outcome {
        RunningTool(
            program: "/bin/sh",
            ["-c", python, "python", script, schema.path, folder.text, filesToo ? "files" : ""]
        ).wait()
    }

    /// Holds what a command prints, one object or several, against its part of the schema.
    package static func run(part: String, _ lines: String) -> Tool.Outcome {
        RunningTool(
            program: "/bin/sh", ["-c", python, "python", partScript, schema.path, part, lines]
        ).wait()
    }

    /// Holds the schema against the one for schemas, which takes longer than all it is asked for.
    package static func ofItself() -> Tool.Outcome {
        RunningTool(
            program: "/bin/sh", ["-c", python, "python", itsOwnScript, schema.path]
        ).wait()
    }

    private static let itsOwnScript = """
        \(module)
        jsonschema.Draft202012Validator.check_schema(json.load(open(sys.argv[1])))
        """

    private static let partScript = """
        \(module)
        parts = json.load(open(sys.argv[1]))["$defs"]
        schema = {"$ref": "#/$defs/" + sys.argv[2], "$defs": parts}
        validator = jsonschema.Draft202012Validator(schema)
        objects, rest = [], sys.argv[3].strip()
        while rest:
            found, end = json.JSONDecoder().raw_decode(rest)
            objects.append(found)
            rest = rest[end:].lstrip()
        errors = [error for found in objects for error in validator.iter_errors(found)]
        sys.exit("\\n".join(error.message[:200] for error in errors) or not objects)
        """

    /// The Python that has the module, of the system's and the first one in the path.
    private static let python = """
        for python in /usr/bin/python3 python3; do
            "$python" -c "$@"
            status=$?
            # What has no such module, cannot be run, or is not there.
            case $status in \(lacksModule)|126|127) ;; *) exit $status ;; esac
        done
        echo "no Python here has the module jsonschema" >&2
        exit 1
        """

    /// Exit status of a script where there is none, which no other failure of Python has.
    private static let lacksModule = 77

    private static let module = """
        import json, sys
        try:
            import jsonschema
        except ImportError:
            sys.exit(\(lacksModule))
        """

    private static let script = """
        \(module)
        import hashlib, os
        from pathlib import Path
        validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
        manifests = sorted(Path(sys.argv[2]).rglob("manifest.json"))
        faults = []
        def name(path):
            return path if isinstance(path, str) else os.fsdecode(bytes.fromhex(path["bytes"]))
        def look(manifest, entry, output):
            path = manifest.parent / name(output["path"])
            data = path.read_bytes()
            if len(data) != output["bytes"]:
                faults.append(f"{path}: {len(data)} bytes")
            if hashlib.sha256(data).hexdigest() != output["sha256"]:
                faults.append(f"{path}: another SHA-256")
            if path.stat().st_mtime_ns != entry["source"]["modifiedNanoseconds"]:
                faults.append(f"{path}: another time")
        for manifest in manifests:
            content = json.loads(manifest.read_bytes())
            for error in validator.iter_errors(content):
                faults.append(f"{manifest}: {list(error.path)}: {error.message[:200]}")
            if sys.argv[3] and not faults:
                for entry in content["recordings"]:
                    trimmed = [entry["trimmed"]] if "trimmed" in entry else []
                    trimmed += [f for t in trimmed for f in t.get("waveforms", [])]
                    for output in entry.get("waveforms", []) + trimmed:
                        look(manifest, entry, output)
        print(len(manifests), "manifests")
        sys.exit("\\n".join(faults) or 0)
        """
}
