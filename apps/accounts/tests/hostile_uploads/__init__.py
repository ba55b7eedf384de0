"""Files that somebody might upload to do harm, and good ones beside them; `expected.json` says what
becomes of each.
"""
