"""Documents that the portal makes for an order: what each says, and how it becomes a PDF or a
spreadsheet.
"""
