"""Bank statements as files: read (CSV, CAMT.053), and matched with what is asked for. Nothing here
writes.
"""
