"""The bank: statements read, taken in, matched with what is asked for, and booked."""
