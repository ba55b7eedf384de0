"""A company's account: what each order asked for, what came, what went back, as lines that add up
to the cent.
"""
