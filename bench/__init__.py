"""Speed: `make bench` measures the portal as it ships, in turn with a bare floor program on the
same machine.
"""
