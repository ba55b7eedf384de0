"""Writes on people: sign-in, passwords, registration, approval. One module a use case."""
