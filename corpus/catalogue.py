"""The table of the sample recordings: what each file holds, and what a run should say of it."""

from dataclasses import dataclass
from typing import Callable

import sndfile
import sounds
import trouble
from sounds import room, talk, telephone, tones

DONE = "done"
WHOLE_SILENT = "done; silent throughout, so nothing is cut"
STEADY = "done; steady throughout, so nothing is cut"
NO_SPEECH = "done; no speech is in it, so nothing is cut"
NO_PAUSE = "done; no pause, so nothing is cut"


@dataclass(frozen=True)
class Recording:
    """A good recording: what is heard in it, and the container and encoding it is kept in."""

    path: str
    encoding: str
    sound: Callable[[], sounds.Sound]
    about: str
    expected: str = DONE


@dataclass(frozen=True)
class Misfit:
    """A file that is no good recording, made byte by byte."""

    path: str
    data: Callable[[], bytes]
    about: str
    made: str
    expected: str


RECORDINGS = [
    Recording(
        "interviews/interview_mono_pcm16_44100hz.wav", "WAV, 16-bit PCM",
        lambda: room(talk(44100, "en-gb", ["Where did you grow up?", "In a house by the canal."]),
                     -58, 1, 500),
        "A question, an answer, a living room"),
    Recording(
        "interviews/interview_clipped_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.overdriven(room(talk(
            16000, "en-us", ["That was far too loud.", "Turn the gain down."], trail=1.5),
            -60, 2), 5),
        "Speech with 14 dB too much gain: runs of samples at full scale"),
    Recording(
        "interviews/interview_weak_s_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(sounds.weak_end(talk(
            16000, "en-gb", ["We missed the bus.", "There are two boxes."], trail=1.5), 0.15, 0.2),
            -62, 3),
        "Phrases whose last sound is a weak s, 14 dB down, easily lost by a trimmer"),
    Recording(
        "interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac", "FLAC, 16-bit",
        lambda: room(talk(16000, "de", ["Das Wasser steht heute hoch.", "Wir fahren um sieben."],
                          lead=1.5, gap=1.4), -55, 4, 400),
        "German, two folders down"),
    Recording(
        "interviews/2024/harbour/keeper_fr_mono_pcm24_16000hz.wav", "WAV, 24-bit PCM",
        lambda: room(talk(16000, "fr-fr", ["Le vent se lève.", "La lampe est éteinte."],
                          lead=1.2), -65, 5, 400),
        "French, a quiet room"),
    Recording(
        "memos/memo_mono_opus_16000hz.opus", "Ogg Opus",
        lambda: room(talk(16000, "en-us", ["Buy milk and candles.", "Call the plumber."],
                          trail=2), -50, 6, 300),
        "A voice note"),
    Recording(
        "memos/memo_mono_mp3_16000hz.mp3", "MP3",
        lambda: room(talk(16000, "en-gb", ["Note to self.", "The key is under the pot."],
                          lead=2), -50, 7, 300),
        "A voice note"),
    Recording(
        "memos/memo_mono_alac16_16000hz.caf", "CAF, 16-bit ALAC",
        lambda: room(talk(16000, "en-us", ["Meeting moved to Monday.", "Bring the maps."]),
                     -60, 8),
        "A voice note kept without loss"),
    Recording(
        "memos/memo_weak_onset_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(sounds.weak_beginning(talk(
            16000, "en-gb", ["How far is the shore?", "Half an hour on foot."]), 0.25, 0.05),
            -62, 9),
        "Phrases that begin 26 dB down and grow for a quarter of a second"),
    Recording(
        "memos/memo_hum_50hz_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(sounds.hum(talk(
            16000, "en-us", ["The amplifier hums.", "It always did."]), -40), -65, 10),
        "Mains hum at -40 dBFS with four harmonics under everything"),
    Recording(
        "memos/memo_dc_offset_mono_pcm16_8000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.offset(room(talk(
            8000, "en-gb", ["A cheap recorder.", "Its zero is not zero."]), -55, 11), 0.08),
        "Every sample 0.08 too high"),
    Recording(
        "memos/to do/list_mono_vorbis_16000hz.ogg", "Ogg Vorbis",
        lambda: room(talk(16000, "de", ["Brot und Butter.", "Briefmarken nicht vergessen."],
                          trail=1.5), -52, 12, 400),
        "A folder with a space in its name"),
    Recording(
        "calls/call_two_parties_stereo_ulaw_8000hz.wav", "WAV, µ-law",
        lambda: telephone(room(sounds.side_by_side(
            talk(8000, "en-us", ["Hello, who is there?", "Which sister?"], gap=2.6, trail=2.5),
            talk(8000, "en-gb", ["It is your sister.", "Very funny."], lead=2.9, gap=2.5)),
            -58, 13)),
        "One party a side, never both at once"),
    Recording(
        "calls/call_antiphase_stereo_pcm16_8000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.antiphase(room(talk(
            8000, "en-us", ["Left is right upside down.", "Their sum is nothing."]), -55, 14)),
        "The right channel is the left one upside down; a mono mix of it is silent"),
    Recording(
        "calls/call_mono_alaw_8000hz.wav", "WAV, A-law",
        lambda: telephone(room(talk(
            8000, "en-gb", ["Please hold the line.", "You are next."]), -50, 15)),
        "300 to 3400 Hz, a noisy line"),
    Recording(
        "calls/call_mono_gsm610_8000hz.wav", "WAV, GSM 6.10",
        lambda: telephone(room(talk(
            8000, "en-us", ["I am on the train.", "Can you hear me?"], trail=1.03), -48, 16)),
        "A mobile call; the encoding pads its last block, so there are a few more frames"),
    Recording(
        "calls/voicemail_mono_ima_adpcm_8000hz.wav", "WAV, IMA ADPCM",
        lambda: telephone(room(talk(
            8000, "en-gb", ["After the tone.", "Leave your name."], trail=2), -50, 17)),
        "An answering machine"),
    Recording(
        "calls/voicemail_mono_ulaw_8000hz.au", "AU, µ-law",
        lambda: telephone(room(talk(
            8000, "fr-fr", ["Bonjour, c'est moi.", "Rappelle-moi ce soir."]), -50, 18)),
        "French, an answering machine"),
    Recording(
        "field/fan_minus45dbfs_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(talk(16000, "en-us", ["The fan is always on.", "Even in winter."],
                          lead=1.5, gap=1.5), -45, 19, 200),
        "A fan at -45 dBFS"),
    Recording(
        "field/floor_steps_up_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.rising_room(talk(
            16000, "en-gb", ["Before the rain.", "The rain is near.", "Now it rains."],
            gap=1.5, trail=1.5), -60, -42, 20),
        "The floor steps up from -60 to -42 dBFS in the middle"),
    Recording(
        "field/dawn walk/owls_stereo_flac24_16000hz.flac", "FLAC, 24-bit",
        lambda: room(sounds.side_by_side(
            tones(16000, [420, 380], lead=1, gap=2.4, peak=0.1),
            tones(16000, [510], lead=2.6, peak=0.05)), -70, 21, 300),
        "Two owls, one on either side, quiet", NO_SPEECH),
    Recording(
        "field/steady_noise_minus60dbfs_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(sounds.nothing(16000, 3), -60, 22),
        "Noise of -60 dBFS and nothing else", WHOLE_SILENT),
    Recording(
        "field/digital_silence_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.nothing(16000, 3),
        "Zeros", WHOLE_SILENT),
    Recording(
        "field/waterfall_mono_pcm16_16000hz.wav", "WAV, 16-bit PCM",
        lambda: room(sounds.nothing(16000, 3), -20, 23, 1500),
        "Water at -20 dBFS from beginning to end", STEADY),
    Recording(
        "field/bagpipe_mono_pcm16_8000hz.wav", "WAV, 16-bit PCM",
        lambda: sounds.over_drone(tones(8000, [440, 494, 554, 587, 494, 440], 0, 0, 0, 0.3), 110),
        "A tune over a drone, from the first frame to the last", NO_PAUSE),
    Recording(
        "formats/tones_mono_pcmu8_8000hz.wav", "WAV, 8-bit PCM",
        lambda: tones(8000, [440, 660]), "Tones; the pauses are digital silence", NO_SPEECH),
    Recording(
        "formats/speech_mono_pcm32_8000hz.wav", "WAV, 32-bit PCM",
        lambda: talk(8000, "en-us", ["Thirty two bits."]),
        "Speech; the pauses are digital silence"),
    Recording(
        "formats/beyond_full_scale_mono_float32_16000hz.wav", "WAV, 32-bit float",
        lambda: room(talk(16000, "en-gb", ["This is over the top."], peak=1.5), -60, 24),
        "Speech with peaks of +3.5 dBFS, which only a float can hold"),
    Recording(
        "formats/speech_mono_float64_8000hz.wav", "WAV, 64-bit float",
        lambda: room(talk(8000, "de", ["Vierundsechzig Bit."]), -60, 25), "German"),
    Recording(
        "formats/tones_stereo_wavex24_8000hz.wav", "WAVEX, 24-bit PCM",
        lambda: room(sounds.side_by_side(
            tones(8000, [300, 500]), tones(8000, [900], lead=1.2)), -66, 26),
        "Tones on both sides"),
    Recording(
        "formats/speech_mono_rf64_pcm16_8000hz.wav", "RF64, 16-bit PCM",
        lambda: room(talk(8000, "en-gb", ["Longer than four gigabytes."]), -60, 27),
        "The container for recordings beyond 4 GB"),
    Recording(
        "formats/speech_mono_pcm16_8000hz.w64", "W64, 16-bit PCM",
        lambda: room(talk(8000, "en-us", ["Sixty four bit sizes."]), -60, 28), "Speech"),
    Recording(
        "formats/tones_mono_pcm16_8000hz.aiff", "AIFF, 16-bit PCM",
        lambda: room(tones(8000, [440, 550]), -60, 29), "Tones", NO_SPEECH),
    Recording(
        "formats/speech_stereo_pcm24_8000hz.aiff", "AIFF, 24-bit PCM",
        lambda: room(sounds.side_by_side(
            talk(8000, "en-gb", ["On the left."], trail=2.5),
            talk(8000, "en-us", ["On the right."], lead=2.5)), -64, 30),
        "First left, then right"),
    Recording(
        "formats/speech_mono_pcm16_8000hz.caf", "CAF, 16-bit PCM",
        lambda: room(talk(8000, "fr-fr", ["Un format simple."]), -60, 31), "French"),
    Recording(
        "troubled/🎙️ memo.wav", "WAV, 16-bit PCM",
        lambda: room(talk(8000, "en-us", ["Smile."]), -58, 32),
        "Nothing wrong but an emoji in the name"),
    Recording(
        "troubled/\"Mum's\" list; $5 & more.wav", "WAV, 16-bit PCM",
        lambda: room(talk(8000, "en-gb", ["Quote, unquote."]), -58, 33),
        "Nothing wrong but a name that a shell would trip over"),
]


def memo_bytes(rate, seed, encoding, *texts, serial=1):
    """The bytes of a short memo, to be damaged."""
    return sndfile.encoded(room(talk(rate, "en-us", texts), -58, seed), encoding, serial)


MISFITS = [
    Misfit("troubled/empty.wav", lambda: b"", "Nothing", "no bytes", "failed: `emptyFile`"),
    Misfit(
        "troubled/letter.wav",
        lambda: b"Dear Ann,\n\nthis is a letter and was never a recording.\n\nYours, Tom\n",
        "A text under a recording's name", "text", "failed: `unrecognisedFormat`"),
    Misfit(
        "troubled/cut_off.wav",
        lambda: trouble.cut_off(
            memo_bytes(8000, 40, "WAV, 16-bit PCM", "The disk", "is full."), 0.55),
        "The header promises nearly twice the sound there is",
        "WAV, 16-bit PCM, 8000 Hz, mono, the first 55 % of the bytes", "done; warning: `truncated`"),
    Misfit(
        "troubled/power_lost.wav",
        lambda: trouble.never_finalised(
            memo_bytes(8000, 41, "WAV, 16-bit PCM", "The battery", "is flat.")),
        "The recorder died: all the sound is there, the header says there is none",
        "WAV, 16-bit PCM, 8000 Hz, mono, both sizes set to 0", "done; warning: `unfinished`"),
    Misfit(
        "troubled/scratched.flac",
        lambda: trouble.damaged(
            memo_bytes(16000, 42, "FLAC, 16-bit", "Scratched", "in the middle."), 0.5, 4000, 43),
        "4000 bytes in the middle are noise", "FLAC, 16-bit, 16000 Hz, mono, then damaged",
        "done; warning: `damaged`"),
    Misfit(
        "troubled/cut_off.ogg",
        lambda: trouble.cut_off(
            memo_bytes(16000, 44, "Ogg Vorbis", "It ends before", "it is over."), 0.6),
        "No last page", "Ogg Vorbis, 16000 Hz, mono, the first 60 % of the bytes",
        "done; warning: `truncated`"),
    Misfit(
        "troubled/two_in_one.opus",
        lambda: memo_bytes(16000, 45, "Ogg Opus", "First things first.")
        + memo_bytes(16000, 46, "Ogg Opus", "Second things second.", serial=2),
        "Two voice notes one behind the other; libsndfile alone would read only "
        "the first",
        "Ogg Opus, 16000 Hz, mono, twice", "done"),
    Misfit(
        "troubled/voice_memo.m4a", trouble.voice_memo,
        "The beginning of a telephone's memo, without the header that is "
        "written last",
        "MPEG-4, `ftyp` and a few bytes", "failed: `unfinished`"),
    Misfit(
        "troubled/._memo.wav", trouble.apple_double,
        "A Mac's notes about a file, hidden", "AppleDouble", "ignored"),
    Misfit(
        "troubled/notes.txt", lambda: b"Ask Tom which of these can be saved.\n",
        "No recording, and not named like one", "text", "ignored"),
]
