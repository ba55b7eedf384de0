"""Order from a list: a file or a pasted text becomes lines, questions and a basket.

One stage a module: `workbook` opens, `columns` chooses, `rows` and `typed` read, `match` finds the
products, `review` says what is asked, `answer` gives the workbook back.
"""
