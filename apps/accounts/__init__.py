"""People and companies: sign-in, sign-up, approval, passwords, addresses."""
