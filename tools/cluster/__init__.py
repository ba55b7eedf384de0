"""`make cluster`: the portal on two database servers that stand in for each other, tried by killing
the primary.
"""
