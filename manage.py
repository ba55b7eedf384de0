#!/usr/bin/env python
"""Runs the portal's management commands."""

import os
import sys


def main() -> None:
    """Choose the settings by PORTAL_ENV and hand over to Django."""
    from portal.env import settings_module

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
