import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { openShop, product } from "@/features/product-order/testing";
import { leaveSyllablesAlone } from "@/shared/composing";

leaveSyllablesAlone();

const ENDING = [
  ["while it is written", { isComposing: true }],
  ["as Safari ends it", { keyCode: 229 }],
] as const;

it.each(ENDING)(
  "asks for nothing and orders nothing by the Enter of a syllable, %s",
  async (_, more) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { lists } = openShop({ catalogue: [product("A"), product("B")] });
    await screen.findByText("Name of A");
    const search = screen.getByRole("combobox", { name: "Search product name or SKU" });
    fireEvent.change(search, { target: { value: "크림" } });
    const asked = lists.length;
    expect(fireEvent.keyDown(search, { key: "Enter", code: "Enter", ...more })).toBe(true);
    expect(lists).toHaveLength(asked);
    const [pieces, next] = screen.getAllByRole("spinbutton", { name: /^Pieces of/ });
    pieces?.focus();
    expect(fireEvent.keyDown(pieces as Element, { key: "Enter", code: "Enter", ...more })).toBe(
      true,
    );
    expect(pieces).toHaveFocus();
    expect(fireEvent.keyDown(pieces as Element, { key: "Enter", code: "Enter" })).toBe(false);
    expect(next).toHaveFocus();
  },
);
