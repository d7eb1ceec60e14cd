/// Written by `RECORD_HELP=1 make test FILTER=HelpTests`.
enum HelpTexts {
    static let tapedeck = #"""
        OVERVIEW: Turn folders of recordings into waveforms, trimmed copies and
        manifests.

        Start with: tapedeck run ~/recordings
        Results go to ~/recordings/tapedeck; run it again at any time.

        USAGE: tapedeck <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Process folders: waveforms, silence, trimmed copies,
                                  manifests.
          watch                   Process folders, and then recordings as they land.
          status                  Count what is done, and say what failed and why.
          verify                  Check that results and recordings are still what the
                                  manifests say.
          repair                  Make outputs again that are corrupt, altered or
                                  missing.
          clean                   Delete the results of recordings that have been gone
                                  for long.
          plan                    Divide recordings among machines or array jobs.
          merge                   Bring the results of shards together.
          slurm                   Submit plan, shards and merge to Slurm.
          report                  Make pages of the results, to look at and listen to
                                  in a browser.
          serve                   Serve pages of the results to a browser, which stay
                                  up to date.
          export                  Write segments, silences and edits for other programs.
          split                   Write every segment of sound to a file of its own.
          query                   Ask the results a question in SQL.
          settings                Show the settings that an output remembers.
          presets                 List the presets, or print one as a settings file.
          config                  Check a settings file, or begin one.
          inspect                 Show what would be cut in one recording, and why.
          map                     Convert times between a trimmed copy and its original.
          replay                  Repeat the decisions of a recorded run, and compare.
          bench                   Measure how fast this machine is with your recordings.
          doctor                  Say what this machine has that Tapedeck needs.

          See 'tapedeck help <subcommand>' for detailed help.
        """#

    static let run = #"""
        OVERVIEW: Process folders: waveforms, silence, trimmed copies, manifests.

        For A/b.wav the output holds A/b.wav.dat (waveform), A/b.wav (trimmed copy, if
        anything was cut) and A/manifest.json. Recordings that are up to date are
        skipped. Originals are only read.

        Exit status: 0 all done, 1 could not start or continue, 3 some recordings
        failed (all others are done), 64 wrong usage, 129 hung up, 130 interrupted, 143
        terminated.

        Example: tapedeck run ~/interviews --trim gaps --longest-gap 1

        USAGE: tapedeck run [<options>] <path> ...

        ARGUMENTS:
          <path>                  Folders, with everything below them, and recordings.

        SETTINGS:
          --preset <name>         Use the settings for a kind of work, instead of those
                                  that the output remembers. tapedeck presets prints
                                  them.
          --config <file>         Read settings from this file. (default: tapedeck.toml
                                  in the folder that holds all paths, if there)
          --no-config             Read no settings file.
          --defaults              Forget the settings of the output; use the defaults
                                  and the given options.

        WHAT IS PROCESSED:
          --video/--no-video      Process the first audio track of videos in folders
                                  (mp4, mov, mkv, webm, …).
          --raw <pattern=format>  Read files without a header as this encoding, rate
                                  and channels, such as *.pcm=s16le,8000,1; may be
                                  repeated.

        FILTERS:
          --include <pattern>     Restrict to what matches this pattern or lies in a
                                  folder that does; may be repeated.
          --exclude <pattern>     Leave out what matches this pattern, such as drafts/
                                  or '*-raw.wav'; may be repeated.
          --files-from <file>     Restrict to the paths in this list, one per line or
                                  NUL-separated; - is standard input.
          --newer-than <time>     Leave out what was modified before this date or
                                  longer ago, such as 2026-03-01 or 7d.

        SILENCE AND TRIMMING:
          --trim <trim>           Cut silence at both ends, long pauses too, or
                                  nothing. (default: edges) (values: edges, gaps, off)
          --min-silence <seconds> Ignore silences shorter than this. (default: 0.5)
          --min-sound <seconds>   Ignore sounds shorter than this. (default: 0.2)
          --activity <activity>   Keep speech, any voice (singing too), or any sound.
                                  (default: speech) (values: speech, voice, any)
          --detector <detector>   Detect speech by the neural network (learned) or by
                                  levels. (default: learned) (values: classical,
                                  learned)
          --sensitivity <dB>      Keep more by lowering all thresholds; negative values
                                  keep less. (default: 0.0)
          --threshold <level>     Count everything louder than this as sound, such as
                                  -45dBFS.
          --channels <channels>   Listen to all channels together, or to each by
                                  itself; then only what is silent in all is cut.
                                  (default: together) (values: together, each)
          --keep-silence <seconds>
                                  Keep this much silence before the first sound and
                                  after the last. (default: 0.25)
          --longest-gap <seconds> Shorten longer pauses to this, with --trim gaps.
                                  (default: 1.0; no limit with --shrink-gaps)
          --shrink-gaps <share>   Keep this share of each pause, such as 0.5, with
                                  --trim gaps.
          --fade-milliseconds <milliseconds>
                                  Fade this long on both sides of a cut, within the
                                  silence. (default: 5.0)
          --min-confidence <share>
                                  Leave a recording uncut if the confidence in its
                                  silences is lower. (default: 0.0)

        WAVEFORMS AND COPIES:
          --trim-format <trim-format>
                                  Choose the container of copies: the source's, or FLAC
                                  for lossy sources; WAV; FLAC. (default: auto)
                                  (values: auto, wav, flac)
          --waveform-of <waveform-of>
                                  Choose what waveforms are drawn of: recordings,
                                  copies or both. (default: source) (values: source,
                                  trimmed, both)
          --samples-per-pixel <count,...>
                                  Set the waveform zoom; several make one file each.
                                  (default: 256)
          --pixels-per-second <count>
                                  Set the waveform zoom by the sample rate instead.
          --points <count>        Draw each recording in at most this many pixels
                                  instead.
          --waveform-bits <bits>  Set the waveform resolution: 8 or 16. (default: 8)
          --waveform-format <waveform-format>
                                  Choose the waveform format. (default: dat) (values:
                                  dat, json, float-json)
          --split-channels/--no-split-channels
                                  Draw each channel instead of their mix.

        FOR OTHER PROGRAMS:
          --export <format,...>   Keep exports in these formats up to date in the
                                  output, such as csv,rttm; none ends it. tapedeck
                                  export --list prints all.
          --split/--no-split      Write every segment of sound to a file of its own, in
                                  folders named segments.
          --report/--no-report    Make pages to look at and listen to, index.html in
                                  the output and its folders.

        LIMITS AND CHECKS:
          --max-hours <hours>     Fail recordings longer than this. (default: 48)
          --strict/--no-strict    Fail recordings that are cut off, unfinished or
                                  damaged, instead of using the rest.
          --checksums/--no-checksums
                                  Record the SHA-256 of each recording that does not
                                  fail, for verify and to recognise moved files.
          --isolate/--no-isolate  Decode in processes that can open no files and no
                                  connections; for files of strangers.

        RETRY, MOVE, DELETE:
          --retry-failed          Retry failed recordings, also unchanged ones.
          --moved                 The recordings of this output are at PATH now, though
                                  they are elsewhere, too.
          --prune                 Delete the results of deleted recordings.

        SEVERAL MACHINES:
          --shard <k/n>           Work on one of several parts of the recordings, such
                                  as 3/64, beside others; auto takes it from the array
                                  job. Then tapedeck merge.
          --shards <n>            With --shard auto, the number of parts; the task's
                                  own number is then that of its part.

        OPTIONS:
          -o, --output <dir>      Write results to this folder. (default: tapedeck in
                                  the folder that holds all paths)
          -j, --jobs <n>          Process this many recordings at once. (default: the
                                  number of cores)
          -q, --quiet             Print failures and warnings only.
          -v, --verbose           Print a line for each recording.
          --explain               Explain why each recording is reprocessed.
          --json                  Print one JSON object per line (NDJSON).
          --color <when>          Colour failures and warnings. (default: auto: on a
                                  terminal, without NO_COLOR) (values: auto, always,
                                  never)
          --trace <file>          Record all decisions, for tapedeck replay.
          -n, --dry-run           Say what would be done; write nothing.
          --force                 Reprocess everything.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let watch = #"""
        OVERVIEW: Process folders, and then recordings as they land.

        A recording is processed once it is complete: nobody has it open for writing,
        and it contains what its header promises. Overwritten recordings are processed
        again; the results of renamed or moved ones are renamed with them. Stop it with
        Control-C or SIGTERM; it writes all manifests first.

        Exit status: 129 hung up, 130 interrupted, 143 terminated, 1 could not start or
        continue, 64 wrong usage; with --once-idle also 0 all done, 3 some recordings
        failed.

        Example: tapedeck watch /srv/recordings --output /srv/results --json

        USAGE: tapedeck watch [<options>] <path> ...

        ARGUMENTS:
          <path>                  Folders, with everything below them, and recordings.

        SETTINGS:
          --preset <name>         Use the settings for a kind of work, instead of those
                                  that the output remembers. tapedeck presets prints
                                  them.
          --config <file>         Read settings from this file. (default: tapedeck.toml
                                  in the folder that holds all paths, if there)
          --no-config             Read no settings file.
          --defaults              Forget the settings of the output; use the defaults
                                  and the given options.

        WHAT IS PROCESSED:
          --video/--no-video      Process the first audio track of videos in folders
                                  (mp4, mov, mkv, webm, …).
          --raw <pattern=format>  Read files without a header as this encoding, rate
                                  and channels, such as *.pcm=s16le,8000,1; may be
                                  repeated.

        FILTERS:
          --include <pattern>     Restrict to what matches this pattern or lies in a
                                  folder that does; may be repeated.
          --exclude <pattern>     Leave out what matches this pattern, such as drafts/
                                  or '*-raw.wav'; may be repeated.
          --files-from <file>     Restrict to the paths in this list, one per line or
                                  NUL-separated; - is standard input.
          --newer-than <time>     Leave out what was modified before this date or
                                  longer ago, such as 2026-03-01 or 7d.

        SILENCE AND TRIMMING:
          --trim <trim>           Cut silence at both ends, long pauses too, or
                                  nothing. (default: edges) (values: edges, gaps, off)
          --min-silence <seconds> Ignore silences shorter than this. (default: 0.5)
          --min-sound <seconds>   Ignore sounds shorter than this. (default: 0.2)
          --activity <activity>   Keep speech, any voice (singing too), or any sound.
                                  (default: speech) (values: speech, voice, any)
          --detector <detector>   Detect speech by the neural network (learned) or by
                                  levels. (default: learned) (values: classical,
                                  learned)
          --sensitivity <dB>      Keep more by lowering all thresholds; negative values
                                  keep less. (default: 0.0)
          --threshold <level>     Count everything louder than this as sound, such as
                                  -45dBFS.
          --channels <channels>   Listen to all channels together, or to each by
                                  itself; then only what is silent in all is cut.
                                  (default: together) (values: together, each)
          --keep-silence <seconds>
                                  Keep this much silence before the first sound and
                                  after the last. (default: 0.25)
          --longest-gap <seconds> Shorten longer pauses to this, with --trim gaps.
                                  (default: 1.0; no limit with --shrink-gaps)
          --shrink-gaps <share>   Keep this share of each pause, such as 0.5, with
                                  --trim gaps.
          --fade-milliseconds <milliseconds>
                                  Fade this long on both sides of a cut, within the
                                  silence. (default: 5.0)
          --min-confidence <share>
                                  Leave a recording uncut if the confidence in its
                                  silences is lower. (default: 0.0)

        WAVEFORMS AND COPIES:
          --trim-format <trim-format>
                                  Choose the container of copies: the source's, or FLAC
                                  for lossy sources; WAV; FLAC. (default: auto)
                                  (values: auto, wav, flac)
          --waveform-of <waveform-of>
                                  Choose what waveforms are drawn of: recordings,
                                  copies or both. (default: source) (values: source,
                                  trimmed, both)
          --samples-per-pixel <count,...>
                                  Set the waveform zoom; several make one file each.
                                  (default: 256)
          --pixels-per-second <count>
                                  Set the waveform zoom by the sample rate instead.
          --points <count>        Draw each recording in at most this many pixels
                                  instead.
          --waveform-bits <bits>  Set the waveform resolution: 8 or 16. (default: 8)
          --waveform-format <waveform-format>
                                  Choose the waveform format. (default: dat) (values:
                                  dat, json, float-json)
          --split-channels/--no-split-channels
                                  Draw each channel instead of their mix.

        FOR OTHER PROGRAMS:
          --export <format,...>   Keep exports in these formats up to date in the
                                  output, such as csv,rttm; none ends it. tapedeck
                                  export --list prints all.
          --split/--no-split      Write every segment of sound to a file of its own, in
                                  folders named segments.
          --report/--no-report    Make pages to look at and listen to, index.html in
                                  the output and its folders.

        LIMITS AND CHECKS:
          --max-hours <hours>     Fail recordings longer than this. (default: 48)
          --strict/--no-strict    Fail recordings that are cut off, unfinished or
                                  damaged, instead of using the rest.
          --checksums/--no-checksums
                                  Record the SHA-256 of each recording that does not
                                  fail, for verify and to recognise moved files.
          --isolate/--no-isolate  Decode in processes that can open no files and no
                                  connections; for files of strangers.

        RETRY, MOVE, DELETE:
          --retry-failed          Retry failed recordings, also unchanged ones.
          --moved                 The recordings of this output are at PATH now, though
                                  they are elsewhere, too.
          --prune                 Delete the results of deleted recordings.

        TELLING OTHERS:
          --on-failure <command>  Run this shell command after failures, at most once a
                                  minute, with JSON lines on standard input.
          --on-done <command>     Run this shell command after recordings are done, at
                                  most once a second, with JSON lines on standard input.
          --metrics <file>        Keep counts in this file, for the textfile collector
                                  of Prometheus' node exporter.

        SERVER:
          --token-file <file>     Ask for the token in this file; without it, none on
                                  loopback addresses, and a new one on others.

        OPTIONS:
          -o, --output <dir>      Write results to this folder. (default: tapedeck in
                                  the folder that holds all paths)
          -j, --jobs <n>          Process this many recordings at once. (default: the
                                  number of cores)
          -q, --quiet             Print failures and warnings only.
          -v, --verbose           Print a line for each recording.
          --explain               Explain why each recording is reprocessed.
          --json                  Print one JSON object per line (NDJSON).
          --color <when>          Colour failures and warnings. (default: auto: on a
                                  terminal, without NO_COLOR) (values: auto, always,
                                  never)
          --trace <file>          Record all decisions, for tapedeck replay.
          --settle-seconds <seconds>
                                  Wait until size and time have not changed for this
                                  long; 0.1 to 3600. (default: 2.0)
          --poll <seconds>        Poll folders at this interval instead of using
                                  inotify; 0.1 to 86400.
          --give-up-seconds <seconds>
                                  Wait this long for an incomplete recording, then
                                  process what there is; 1 to 604800. (default: 600.0)
          --once-idle             Exit when nothing is left to do.
          --serve <address>       Serve pages of the results to a browser meanwhile,
                                  such as on 127.0.0.1:8017.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let inspect = #"""
        OVERVIEW: Show what would be cut in one recording, and why.

        Writes nothing except the picture. With the same options, tapedeck run makes
        the same cuts.

        Exit status: 0 shown, 1 the recording could not be read or the picture not
        written, 3 decoding stopped for a reason outside of it, 64 wrong usage.

        Example: tapedeck inspect interview.wav --picture why.png

        USAGE: tapedeck inspect [<options>] <file>

        ARGUMENTS:
          <file>                  A recording.

        SILENCE AND TRIMMING:
          --trim <trim>           Cut silence at both ends, long pauses too, or
                                  nothing. (default: edges) (values: edges, gaps, off)
          --min-silence <seconds> Ignore silences shorter than this. (default: 0.5)
          --min-sound <seconds>   Ignore sounds shorter than this. (default: 0.2)
          --activity <activity>   Keep speech, any voice (singing too), or any sound.
                                  (default: speech) (values: speech, voice, any)
          --detector <detector>   Detect speech by the neural network (learned) or by
                                  levels. (default: learned) (values: classical,
                                  learned)
          --sensitivity <dB>      Keep more by lowering all thresholds; negative values
                                  keep less. (default: 0.0)
          --threshold <level>     Count everything louder than this as sound, such as
                                  -45dBFS.
          --channels <channels>   Listen to all channels together, or to each by
                                  itself; then only what is silent in all is cut.
                                  (default: together) (values: together, each)
          --keep-silence <seconds>
                                  Keep this much silence before the first sound and
                                  after the last. (default: 0.25)
          --longest-gap <seconds> Shorten longer pauses to this, with --trim gaps.
                                  (default: 1.0; no limit with --shrink-gaps)
          --shrink-gaps <share>   Keep this share of each pause, such as 0.5, with
                                  --trim gaps.
          --fade-milliseconds <milliseconds>
                                  Fade this long on both sides of a cut, within the
                                  silence. (default: 5.0)
          --min-confidence <share>
                                  Leave a recording uncut if the confidence in its
                                  silences is lower. (default: 0.0)

        PICTURE:
          --picture <path>        Draw waveform, spectrogram, noise floor, score and
                                  cuts, as .png or .svg.
          --width <pixels>        The width of the picture, 300 to 10000. (default:
                                  1280)
          --start <time>          Where the picture begins, such as 90 or 1:30.
          --end <time>            Where the picture ends.

        OPTIONS:
          --raw <pattern=format>  Read files without a header as this encoding, rate
                                  and channels, such as *.pcm=s16le,8000,1; may be
                                  repeated.
          --isolate               Decode in a process that can open no files and no
                                  connections; for files of strangers.
          --json                  Print one JSON object.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let map = #"""
        OVERVIEW: Convert times between a trimmed copy and its original.

        Write times as 754.5, 12:34.5 or 1:02:03; - reads them from standard input, one
        per line. A time is rounded to the nearest frame; from there the mapping is
        exact in both directions.

        Exit status: 0 all times found, 1 the manifest could not be read or has no copy
        of the recording, 3 some times are beyond the end or no times, 64 wrong usage.

        Example: tapedeck map results interview.wav --to-source 12:34.5

        USAGE: tapedeck map <manifest> <recording> [--to-source <time> ...] [--to-trimmed <time> ...] [--json]

        ARGUMENTS:
          <manifest>              A manifest.json, its folder, an output, or a folder
                                  of recordings.
          <recording>             The recording or its copy, relative to that folder.

        OPTIONS:
          --to-source <time>      Convert these times of the copy to times of the
                                  original.
          --to-trimmed <time>     Convert these times of the original to times of the
                                  copy.
          --json                  Print one JSON object per line (NDJSON).
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let replay = #"""
        OVERVIEW: Repeat the decisions of a recorded run, and compare.

        Reads the file of tapedeck run --trace and nothing else. Prints how far the run
        had come, and the commands that followed the last action.

        Exit status: 0 all as recorded, 1 the trace could not be read, 3 an action
        leads to other commands or to an invalid state, 64 wrong usage.

        Example: tapedeck replay run.trace --until 12

        USAGE: tapedeck replay <file> [--until <n>] [--json]

        ARGUMENTS:
          <file>                  The trace.

        OPTIONS:
          --until <n>             Stop after this many actions.
          --json                  Print one JSON object, with the last commands in full.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let status = #"""
        OVERVIEW: Count what is done, and say what failed and why.

        Reads the record of the output only. Writes nothing. With --check, it also
        lists the recordings, and exits with 3 if more have failed, or one has waited
        longer, than is allowed: for cron and monitoring.

        Exit status: 0 printed, 1 something could not be read, 3 not as --check wants
        it, 64 wrong usage.

        Example: tapedeck status ~/interviews

        USAGE: tapedeck status <path> [--json] [--check] [--failed <n>] [--behind <seconds>]

        ARGUMENTS:
          <path>                  An output, a folder in it, or a folder of recordings.

        OPTIONS:
          --json                  Print one JSON object.
          --check                 Say in one line whether all is well, and exit with 3
                                  if not.
          --failed <n>            Allow this many failed recordings, with --check.
                                  (default: 0)
          --behind <seconds>      Allow recordings to wait this long for their results,
                                  with --check. (default: 600)
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let verify = #"""
        OVERVIEW: Check that results and recordings are still what the manifests say.

        Compares the SHA-256 of every output, and the size and time of every recording;
        after run --checksums its SHA-256 too. Writes nothing.

        It says of each what happened to it: corrupt (other bytes, the same time, as of
        a failing disk), altered or changed, or missing; and how to mend it.

        Exit status: 0 all well, 1 something could not be checked, or nothing is there
        to check, 3 something was altered or is missing, 64 wrong usage.

        Example: tapedeck verify ~/interviews

        USAGE: tapedeck verify <path> [--recordings <dir>] [--jobs <n>] [--json]

        ARGUMENTS:
          <path>                  An output, a folder in it, or a folder of recordings.

        OPTIONS:
          --recordings <dir>      Look for the recordings here. (default: where they
                                  were)
          --jobs <n>              Read this many files at once. (default: the number of
                                  cores)
          --json                  Print one JSON object per line (NDJSON).
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let export = #"""
        OVERVIEW: Write segments, silences and edits for other programs.

        Nothing is decoded: it writes what a run has found, also beside a run.

        Exit status: 0 written, 1 not written, 3 a recording could not be listed, 64
        wrong usage.

        Example: tapedeck export ~/interviews --to audacity

        USAGE: tapedeck export [<options>] [<path>]

        ARGUMENTS:
          <path>                  An output, a folder in one, or a folder of
                                  recordings. (default: .)

        FILTERS:
          --include <pattern>     Restrict to what matches this pattern or lies in a
                                  folder that does; may be repeated.
          --exclude <pattern>     Leave out what matches this pattern, such as drafts/
                                  or '*-raw.wav'; may be repeated.
          --files-from <file>     Restrict to the paths in this list, one per line or
                                  NUL-separated; - is standard input.
          --newer-than <time>     Leave out what was modified before this date or
                                  longer ago, such as 2026-03-01 or 7d.

        OPTIONS:
          --to <format,...>       Write these formats, such as csv,rttm; see --list.
          --of <what>             List segments, silences, edits (what copies keep) or
                                  recordings. (default: segments, if possible) (values:
                                  segments, silences, edits, recordings)
          --time <time>           Give times in the original (source) or in the trimmed
                                  copy (trimmed). (values: source, trimmed; default:
                                  source)
          --one-file/--beside     Write one file for all recordings, or one beside each.
          --into <dir>            Write to this folder. (default: the output)
          --min-segment <seconds> Leave out segments shorter than this.
          --max-segment <seconds> Divide segments longer than this, in their quietest
                                  place.
          --merge-gap <seconds>   Join segments with a shorter gap between them.
          --pad <seconds>         Add this much on both sides of a segment.
          --overwrite             Replace existing files.
          --list                  Print the formats, and write nothing.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let split = #"""
        OVERVIEW: Write every segment of sound to a file of its own.

        It cuts the samples of the original, without loss, and lists the files in
        metadata.jsonl beside them. What was written before is not written again.

        Exit status: 0 written, 1 not written, 3 a recording could not be split, 64
        wrong usage.

        Example: tapedeck split ~/calls --into ~/segments --merge-gap 0.3

        USAGE: tapedeck split [<path>] [--into <dir>] [--naming <template>] [--format <format>] [--min-segment <seconds>] [--max-segment <seconds>] [--merge-gap <seconds>] [--pad <seconds>] [--include <pattern> ...] [--exclude <pattern> ...] [--files-from <file>] [--newer-than <time>]

        ARGUMENTS:
          <path>                  An output, a folder in one, or a folder of
                                  recordings. (default: .)

        FILTERS:
          --include <pattern>     Restrict to what matches this pattern or lies in a
                                  folder that does; may be repeated.
          --exclude <pattern>     Leave out what matches this pattern, such as drafts/
                                  or '*-raw.wav'; may be repeated.
          --files-from <file>     Restrict to the paths in this list, one per line or
                                  NUL-separated; - is standard input.
          --newer-than <time>     Leave out what was modified before this date or
                                  longer ago, such as 2026-03-01 or 7d.

        OPTIONS:
          --into <dir>            Write to this folder. (default: folders named
                                  segments in the output)
          --naming <template>     Name the files so, from {stem}, {name}, {channel},
                                  {index}, {start} and {end}; {index:4} has leading
                                  zeros. (default: {stem}_{index:4}_{start})
          --format <format>       Write flac (wav where that cannot hold the samples)
                                  or wav. (values: flac, wav; default: flac)
          --min-segment <seconds> Leave out segments shorter than this.
          --max-segment <seconds> Divide segments longer than this, in their quietest
                                  place.
          --merge-gap <seconds>   Join segments with a shorter gap between them.
          --pad <seconds>         Add this much on both sides of a segment.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let query = #"""
        OVERVIEW: Ask the results a question in SQL.

        The tables are recordings, segments, silences, outputs and failures;
        docs/query.md lists their columns. Reads only, also beside a run.

        Exit status: 0 printed, 1 the record could not be read, 64 wrong usage or
        query.

        Example: tapedeck query "SELECT folder, sum(durationSeconds) / 3600 AS hours
        FROM recordings GROUP BY folder" ~/interviews

        USAGE: tapedeck query <sql> [<path>] [--csv] [--json]

        ARGUMENTS:
          <sql>                   One SELECT statement.
          <path>                  An output, or a folder of recordings. (default: .)

        OPTIONS:
          --csv                   Print comma-separated values with a header.
          --json                  Print one JSON object per line (NDJSON).
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let settings = #"""
        OVERVIEW: Show the settings that an output remembers.

        Each run and watch uses these settings again. Options change them; --defaults
        forgets them. Those of a settings file count as long as the file has them.
        Reads only, also beside a run.

        Exit status: 0 printed, 1 the record could not be read, 64 wrong usage.

        Example: tapedeck settings ~/interviews

        USAGE: tapedeck settings [<path>] [--json]

        ARGUMENTS:
          <path>                  An output, a folder in it, or a folder of recordings.
                                  (default: .)

        OPTIONS:
          --json                  Print one JSON object.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let bench = #"""
        OVERVIEW: Measure how fast this machine is with your recordings.

        Repeats whole runs over all recordings of a folder; choose one that is not too
        large. Results go to a temporary folder in TMPDIR or /tmp, which is deleted at
        the end.

        Exit status: 0 measured, 1 could not measure, 64 wrong usage, 129 hung up, 130
        interrupted, 143 terminated.

        Example: tapedeck bench ~/interviews --jobs 1,2,4

        USAGE: tapedeck bench <path> [--jobs <n,...>] [--repeat <n>] [--json]

        ARGUMENTS:
          <path>                  A folder of recordings, or one of them.

        OPTIONS:
          --jobs <n,...>          Try these numbers of workers. (default: 1, 2, 4, … up
                                  to the number of cores)
          --repeat <n>            Repeat this often. (default: 5, or fewer if that
                                  takes over 45 s)
          --json                  Print one JSON object.
          --version               Show the version.
          -h, --help              Show help information.

        """#
}
