"""Reads of orders. Each takes the buyer and starts from the rows that the buyer may see."""
