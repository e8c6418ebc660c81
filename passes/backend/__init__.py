"""Passes from tiled loops to allocated instructions."""

PASSES = {
    "allocate": "allocate:Allocate",
    "layout-tiling": "layout_tiling:LayoutTiling",
    "select-instructions": "select_instructions:SelectInstructions",
}
