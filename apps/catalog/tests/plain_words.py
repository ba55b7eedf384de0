"""A small catalogue whose names are plain words, and what a company ordered last."""

from apps.catalog.reading import Catalogue, Row

CATALOGUE = Catalogue(
    Row(*row)
    for row in (
        ("AUR-GC050", "Golden Rice Cream 50 ml", "Aurelle Skin", "9528400999546"),
        ("AUR-GY025", "Golden Rice Eye Cream 25 ml", "Aurelle Skin", None),
        ("AUR-GA030", "Golden Rice Ampoule 30 ml", "Aurelle Skin", None),
        ("BOM-GT200", "Green Plum Toner 200 ml", "Bomnal Botanics", None),
        ("BOM-GP060", "Green Plum Toner Pads, 60 pcs", "Bomnal Botanics", None),
        ("PEB-RT050", "Retinal 0.1 Night Emulsion 50 ml", "Pebble Theory", None),
        ("PEB-RL120", "Retinal 0.1 Emulsion 120 ml", "Pebble Theory", None),
        ("PEB-NS030", "Niacinamide 10 Serum 30 ml", "Pebble Theory", None),
        ("PEB-HC075", "Fig & Oat Hand Cream 75 ml", "Pebble Theory", None),
        ("CED-HH075", "Hinoki Hand Cream 75 ml", "Cedre & Lait", None),
        ("CED-OH075", "Oat Field Hand Cream 75 ml", "Cedre & Lait", None),
        ("ROS-TB004", "Petal Tint Balm 04 Bare Fig", "Rosier Nine", None),
        ("ROS-TB005", "Petal Tint Balm 05 Brick", "Rosier Nine", None),
        ("LUN-VC013", "Veil Cushion Foundation 13N Shell", "Lunaveil", None),
        ("LUN-VC023", "Veil Cushion Foundation 23N Sand", "Lunaveil", None),
        ("00410275", "Pink Clay Bath Salt Pouch 500 g", "Saltpetal", None),
    )
)
LAST = {"BOM-GT200": 40, "AUR-GC050": 20}
