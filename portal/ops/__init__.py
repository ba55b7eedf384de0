"""What keeps the portal running: health, figures, sweeps, backups, processes."""
