"""Papers that the portal makes for an order: what they say (`content`), and the two forms it takes, PDF and XLSX."""
