/// Written by `RECORD_HELP=1 make test FILTER=HelpTests`.
enum HelpTexts {
    static let tapedeck = #"""
        OVERVIEW: Turns folders of recordings into waveforms, trimmed copies and
        manifests.

        USAGE: tapedeck <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Draws waveforms, measures, finds silence, trims, and
                                  writes manifests.
          watch                   Does what run does, and goes on with what lands in
                                  the folders.
          status                  Says what earlier runs made, and what is left of an
                                  interrupted one.
          verify                  Checks that outputs and recordings are still what the
                                  manifests say.
          inspect                 Shows one recording's levels, noise floor and
                                  silences, and what would be cut.
          map                     Says where a time of a trimmed copy is in its
                                  recording, or the other way.
          replay                  Makes the decisions of a recorded run again, and
                                  compares.
          bench                   Measures how fast this machine is on your recordings.

          See 'tapedeck help <subcommand>' for detailed help.
        """#

    static let run = #"""
        OVERVIEW: Draws waveforms, measures, finds silence, trims, and writes
        manifests.

        Folders are taken with everything below them. Originals are only ever read. The
        output mirrors the folders: for A/b.wav it holds A/b.wav.dat (waveform),
        A/b.wav (trimmed copy, where something was cut) and A/manifest.json. What is up
        to date is not done again.

        Exit status: 0 all well, 1 could not run or go on, 3 some recordings failed
        (the others are done), 64 wrong usage, 129 hung up, 130 interrupted, 143
        terminated.

        USAGE: tapedeck run [<options>] <path> ...

        ARGUMENTS:
          <path>                  Folders and recordings.

        WHAT IS MADE:
          --trim <trim>           What to cut: silence at the edges, inner gaps too, or
                                  nothing. (values: edges, gaps, off; default: edges)
          --min-silence <seconds> Shortest stretch that counts as silence. (default:
                                  0.5)
          --min-sound <seconds>   Shortest stretch that counts as sound. (default: 0.2)
          --activity <activity>   What counts as sound: speech, or whatever rises above
                                  the noise, as birds and machines do. (values: speech,
                                  any; default: speech)
          --detector <detector>   What tells speech from all else: a small network that
                                  was trained on voices, or how far levels stand above
                                  the noise floor. (default: learned) (values:
                                  classical, learned)
          --sensitivity <dB>      Extra caution: thresholds lie so much lower, and more
                                  is kept; less than 0 keeps less. (default: 0.0)
          --threshold <level>     Call sound what is louder than this, such as -45dBFS,
                                  instead of finding out.
          --keep-silence <seconds>
                                  Silence left before the first sound and behind the
                                  last, and no less than a fade. (default: 0.25)
          --longest-gap <seconds> With --trim gaps: longer inner silences are shortened
                                  to this. (default: 1.0; with --shrink-gaps any length)
          --shrink-gaps <share>   With --trim gaps: how much of each inner silence
                                  stays, as in 0.5 for half of it; with --longest-gap
                                  no more than that.
          --fade-milliseconds <milliseconds>
                                  Fade on each side of a cut, always within the silence
                                  that stays. (default: 5.0)
          --trim-format <trim-format>
                                  Container of trimmed copies; auto keeps that of
                                  lossless sources and makes FLAC of lossy ones. What
                                  FLAC cannot hold, 32 bits and floating point, keeps
                                  its own. (default: auto) (values: auto, wav, flac)
          --samples-per-pixel <count,...>
                                  Zoom of the waveform; several, separated by commas,
                                  make a file each. (default: 256)
          --waveform-bits <bits>  Resolution of the waveform: 8 or 16. (default: 8)
          --waveform-format <waveform-format>
                                  File format of the waveform. (values: dat, json;
                                  default: dat)
          --split-channels        Draw each channel by itself instead of their mix.

        OPTIONS:
          --output <dir>          Folder for the results. (default: tapedeck in the
                                  deepest folder that holds all paths)
          --jobs <n>              Workers: recordings worked on at once, or shares of a
                                  long one. (default: the number of cores)
          --max-hours <hours>     Refuse recordings longer than this; memory grows with
                                  their length. (default: 48)
          --explain               Say of each recording that is not up to date why.
          --retry-failed          Try again what failed before, though nothing has
                                  changed.
          --prune                 Remove what was made of recordings that are gone.
          --checksums             Record the SHA-256 of each recording too, for verify,
                                  and for watch to know moved ones by.
          --json                  Print a JSON object a line for each recording, and a
                                  last one with the summary.
          --quiet                 Print neither progress nor a summary in words;
                                  failures are still told.
          --trace <file>          Record there every action and the commands it led to,
                                  for tapedeck replay.
          --dry-run               Say what would be done, and write nothing.
          --force                 Do again what is up to date.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let watch = #"""
        OVERVIEW: Does what run does, and goes on with what lands in the folders.

        A recording is taken once it is complete: nobody writes to it any more as far
        as can be known, and it holds what its header promises. One that is overwritten
        is done again; what was made of one that is renamed or moved moves with it.
        Ends when it is told to, with Control-C, by termination or with its terminal,
        and then all that is done is in manifests.

        Exit status: 129 hung up, 130 interrupted, 143 terminated, 1 could not run or
        go on, 64 wrong usage; with --once-idle also 0 all well, 3 some recordings
        failed.

        USAGE: tapedeck watch [<options>] <path> ...

        ARGUMENTS:
          <path>                  Folders and recordings.

        WHAT IS MADE:
          --trim <trim>           What to cut: silence at the edges, inner gaps too, or
                                  nothing. (values: edges, gaps, off; default: edges)
          --min-silence <seconds> Shortest stretch that counts as silence. (default:
                                  0.5)
          --min-sound <seconds>   Shortest stretch that counts as sound. (default: 0.2)
          --activity <activity>   What counts as sound: speech, or whatever rises above
                                  the noise, as birds and machines do. (values: speech,
                                  any; default: speech)
          --detector <detector>   What tells speech from all else: a small network that
                                  was trained on voices, or how far levels stand above
                                  the noise floor. (default: learned) (values:
                                  classical, learned)
          --sensitivity <dB>      Extra caution: thresholds lie so much lower, and more
                                  is kept; less than 0 keeps less. (default: 0.0)
          --threshold <level>     Call sound what is louder than this, such as -45dBFS,
                                  instead of finding out.
          --keep-silence <seconds>
                                  Silence left before the first sound and behind the
                                  last, and no less than a fade. (default: 0.25)
          --longest-gap <seconds> With --trim gaps: longer inner silences are shortened
                                  to this. (default: 1.0; with --shrink-gaps any length)
          --shrink-gaps <share>   With --trim gaps: how much of each inner silence
                                  stays, as in 0.5 for half of it; with --longest-gap
                                  no more than that.
          --fade-milliseconds <milliseconds>
                                  Fade on each side of a cut, always within the silence
                                  that stays. (default: 5.0)
          --trim-format <trim-format>
                                  Container of trimmed copies; auto keeps that of
                                  lossless sources and makes FLAC of lossy ones. What
                                  FLAC cannot hold, 32 bits and floating point, keeps
                                  its own. (default: auto) (values: auto, wav, flac)
          --samples-per-pixel <count,...>
                                  Zoom of the waveform; several, separated by commas,
                                  make a file each. (default: 256)
          --waveform-bits <bits>  Resolution of the waveform: 8 or 16. (default: 8)
          --waveform-format <waveform-format>
                                  File format of the waveform. (values: dat, json;
                                  default: dat)
          --split-channels        Draw each channel by itself instead of their mix.

        OPTIONS:
          --output <dir>          Folder for the results. (default: tapedeck in the
                                  deepest folder that holds all paths)
          --jobs <n>              Workers: recordings worked on at once, or shares of a
                                  long one. (default: the number of cores)
          --max-hours <hours>     Refuse recordings longer than this; memory grows with
                                  their length. (default: 48)
          --explain               Say of each recording that is not up to date why.
          --retry-failed          Try again what failed before, though nothing has
                                  changed.
          --prune                 Remove what was made of recordings that are gone.
          --checksums             Record the SHA-256 of each recording too, for verify,
                                  and for watch to know moved ones by.
          --json                  Print a JSON object a line for each recording, and a
                                  last one with the summary.
          --quiet                 Print neither progress nor a summary in words;
                                  failures are still told.
          --trace <file>          Record there every action and the commands it led to,
                                  for tapedeck replay.
          --settle-seconds <seconds>
                                  How long size and time of a recording must stand
                                  still, where nothing says that it was closed; 0.1 to
                                  3600. (default: 2.0)
          --poll <seconds>        Look at each folder so often instead of being told of
                                  changes, as for network shares; 0.1 to 86400.
          --give-up-seconds <seconds>
                                  How long a recording that is cut off is waited for,
                                  from its last change on; 1 to 604800. (default: 600.0)
          --once-idle             End as soon as nothing is left to do or to wait for.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let inspect = #"""
        OVERVIEW: Shows one recording's levels, noise floor and silences, and what
        would be cut.

        Decodes the recording and writes nothing but the picture that is asked for. The
        options are those of tapedeck run, which with the same ones makes the same
        cuts.

        Exit status: 0 shown, 1 it could not be read or the picture not written, 3 only
        its beginning could be decoded, and is shown, 64 wrong usage.

        USAGE: tapedeck inspect [<options>] <file>

        ARGUMENTS:
          <file>                  A recording.

        WHAT IS SILENCE, AND WHAT IS CUT:
          --trim <trim>           What to cut: silence at the edges, inner gaps too, or
                                  nothing. (values: edges, gaps, off; default: edges)
          --min-silence <seconds> Shortest stretch that counts as silence. (default:
                                  0.5)
          --min-sound <seconds>   Shortest stretch that counts as sound. (default: 0.2)
          --activity <activity>   What counts as sound: speech, or whatever rises above
                                  the noise, as birds and machines do. (values: speech,
                                  any; default: speech)
          --detector <detector>   What tells speech from all else: a small network that
                                  was trained on voices, or how far levels stand above
                                  the noise floor. (default: learned) (values:
                                  classical, learned)
          --sensitivity <dB>      Extra caution: thresholds lie so much lower, and more
                                  is kept; less than 0 keeps less. (default: 0.0)
          --threshold <level>     Call sound what is louder than this, such as -45dBFS,
                                  instead of finding out.
          --keep-silence <seconds>
                                  Silence left before the first sound and behind the
                                  last, and no less than a fade. (default: 0.25)
          --longest-gap <seconds> With --trim gaps: longer inner silences are shortened
                                  to this. (default: 1.0; with --shrink-gaps any length)
          --shrink-gaps <share>   With --trim gaps: how much of each inner silence
                                  stays, as in 0.5 for half of it; with --longest-gap
                                  no more than that.
          --fade-milliseconds <milliseconds>
                                  Fade on each side of a cut, always within the silence
                                  that stays. (default: 5.0)

        OPTIONS:
          --json                  Print one JSON object.
          --picture <png>         Draw there the waveform, the spectrogram, noise
                                  floor, score and threshold, and what they led to.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let map = #"""
        OVERVIEW: Says where a time of a trimmed copy is in its recording, or the other
        way.

        Times are written as 754.5, 12:34.5 or 1:02:03, and - takes them from standard
        input, one a line. What is asked goes to the nearest frame, and from there on
        it is exact: the answer, asked the other way, gives that frame again.

        Exit status: 0 all times found, 1 could not read the manifest, or it has no
        copy of the recording, 3 some times lie beyond the end or are none, 64 wrong
        usage.

        USAGE: tapedeck map <manifest> <recording> [--to-source <time> ...] [--to-trimmed <time> ...] [--json]

        ARGUMENTS:
          <manifest>              A manifest.json, the folder it is in, an output, or a
                                  folder of recordings.
          <recording>             The recording's name, or its copy's, from that folder
                                  on.

        OPTIONS:
          --to-source <time>      Times in the copy, to find in the recording.
          --to-trimmed <time>     Times in the recording, to find in the copy.
          --json                  Print a JSON object a line for each time.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let replay = #"""
        OVERVIEW: Makes the decisions of a recorded run again, and compares.

        Reads what tapedeck run --trace has written, and nothing else: neither
        recordings nor results are touched. Says how far the run had come, and which
        commands the last action led to.

        Exit status: 0 all as recorded, 1 the trace could not be read, 3 an action
        leads to other commands than were recorded or to a state that can never be, 64
        wrong usage.

        USAGE: tapedeck replay <file> [--until <n>] [--json]

        ARGUMENTS:
          <file>                  The trace.

        OPTIONS:
          --until <n>             Stop after so many actions.
          --json                  Print one JSON object, with all that the last
                                  commands say.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let status = #"""
        OVERVIEW: Says what earlier runs made, and what is left of an interrupted one.

        Reads manifests and the journal only, never a recording, and writes nothing.

        Exit status: 0 told, 1 could not be read, or not all of it, 64 wrong usage.

        USAGE: tapedeck status <path> [--json]

        ARGUMENTS:
          <path>                  An output folder, a folder in one, or a folder of
                                  recordings with one called tapedeck in it.

        OPTIONS:
          --json                  Print one JSON object on a line.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let verify = #"""
        OVERVIEW: Checks that outputs and recordings are still what the manifests say.

        Reads every output and compares its SHA-256; compares the size and time of
        every recording, and its SHA-256 where the manifest has it. Writes nothing.

        Exit status: 0 all well, 1 could not check, or not all, or nothing is there to
        check, 3 something does not hold, 64 wrong usage.

        USAGE: tapedeck verify <path> [--recordings <dir>] [--jobs <n>] [--json]

        ARGUMENTS:
          <path>                  An output folder, a folder in one, or a folder of
                                  recordings with one called tapedeck in it.

        OPTIONS:
          --recordings <dir>      Folder of the recordings. (default: where they were
                                  when the results were made)
          --jobs <n>              Files read at once. (default: the number of cores)
          --json                  Print a JSON object a line for what does not hold,
                                  and a last one in numbers.
          --version               Show the version.
          -h, --help              Show help information.

        """#

    static let bench = #"""
        OVERVIEW: Measures how fast this machine is on your recordings.

        Times whole runs over all recordings there, again and again: choose a folder
        that is not too large. What they write goes into a folder of its own in TMPDIR
        or /tmp, and is removed at the end.

        Exit status: 0 measured, 1 could not measure, 64 wrong usage, 129 hung up, 130
        interrupted, 143 terminated.

        USAGE: tapedeck bench <path> [--jobs <n,...>] [--repeat <n>] [--json]

        ARGUMENTS:
          <path>                  A folder of recordings, or one of them.

        OPTIONS:
          --jobs <n,...>          Numbers of workers to try. (default: 1, 2, 4 and so
                                  on up to the number of cores)
          --repeat <n>            How often each figure is taken. (default: 5, or fewer
                                  where they take over 45 s)
          --json                  Print one JSON object.
          --version               Show the version.
          -h, --help              Show help information.

        """#
}
