import Recordings
