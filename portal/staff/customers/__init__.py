"""Customers: companies as those who buy."""
