"""Periodic work on notices. Safe to repeat; `portal/sweeps.py` says when each runs."""

from datetime import datetime, timedelta

from django.core.files.storage import storages

from apps.notices.models import FOLDER, NoticeFile, stored_path

ORPHAN_AGE = timedelta(hours=24)


def forget_orphaned_files(now: datetime) -> int:
    """Delete stored files that no notice has had for a day; return how many they were.

    They are left where a process died between file and row, or between a row's end and its file's.
    """
    storage = storages["private"]
    try:
        names = storage.listdir(FOLDER)[1]
    except FileNotFoundError:  # nothing was ever attached
        return 0
    known = set(NoticeFile.objects.values_list("storage_name", flat=True))
    before = now - ORPHAN_AGE
    gone = [name for name in names if name not in known and storage.get_modified_time(stored_path(name)) < before]
    for name in gone:
        storage.delete(stored_path(name))
    return len(gone)
