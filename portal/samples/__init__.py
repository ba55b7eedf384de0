"""What staff see of mails that no order has caused: with a real order, or with an example."""
