"""A PayPal of our own: the calls of Payments v1 and Orders v2, the buyer's page, webhooks and
faults, over real HTTP.

It knows nothing of the portal and uses no Django: the portal speaks to it as it speaks to PayPal.
"""
