"""The demo: invented catalogue, notices, buyers and orders, loaded into an empty database."""

DEMO_DOMAIN = (
    "@demo.test"  # here, because production looks for it and holds nothing else of the demo
)
