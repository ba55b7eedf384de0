"""The demo: invented catalogue, notices, buyers and orders, loaded into an empty database."""
