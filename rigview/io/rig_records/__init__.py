"""A changed rig as bytes: what it shares with the rig that its file holds is named, the rest is written."""

from rigview.io.rig_records.reading import RecordError, read_record
from rigview.io.rig_records.writing import record_of

__all__ = ["RecordError", "read_record", "record_of"]
