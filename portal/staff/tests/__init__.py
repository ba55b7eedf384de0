"""Tests of the staff's pages that are one module each."""
