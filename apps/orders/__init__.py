"""Temporary orders, orders and their life, lines, packing and documents."""
