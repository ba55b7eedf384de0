"""What a seller brings along on the first day: customers and their people, by imports."""
