"""Draws docs/asset_graph.png: the global asset graph of the tiny demo as the Dagster UI shows it, cropped.

winnow demo --profile tiny && python tests/support/asset_graph_picture.py
"""

import os
from pathlib import Path

from dagster_ui import PROJECT, DagsterUI, chromium_page
from playwright.sync_api import FloatRect, Page

from assets.demo import enter, profile

PICTURE = PROJECT / "docs/asset_graph.png"
WIDTH, HEIGHT, MARGIN = 2700, 620, 8


def draw(page: Page, ui: DagsterUI, picture: Path) -> None:
    """All groups expanded, side by side, and nothing of the page around them."""
    page.goto(f"{ui.url}/asset-groups")
    page.get_by_role("button", name="Hide navigation").click()
    page.get_by_text("registry", exact=True).last.wait_for()
    page.mouse.click(WIDTH / 2, HEIGHT / 4, button="right")
    page.get_by_role("menuitem", name="Expand all groups").click()
    page.wait_for_timeout(3000)  # the graph glides into its place
    page.screenshot(path=picture, clip=extent(page))


def extent(page: Page) -> FloatRect:
    """The rectangle around everything that the graph draws."""
    boxes = [box for item in page.locator("svg foreignObject").all() if (box := item.bounding_box())]
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right = max(box["x"] + box["width"] for box in boxes)
    bottom = max(box["y"] + box["height"] for box in boxes)
    return {
        "x": left - MARGIN,
        "y": top - MARGIN,
        "width": right - left + 2 * MARGIN,
        "height": bottom - top + 2 * MARGIN,
    }


if __name__ == "__main__":
    enter(profile("tiny"))
    with DagsterUI(dict(os.environ)) as ui, chromium_page(WIDTH, HEIGHT) as page:
        draw(page, ui, PICTURE)
    print(f"{PICTURE.relative_to(PROJECT)}: {PICTURE.stat().st_size // 1000} kB")
