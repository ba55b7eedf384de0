"""The approvers' pages."""
