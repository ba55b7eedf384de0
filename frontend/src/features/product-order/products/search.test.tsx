import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { answer } from "@/test/server";
import "./ScanButton";
import { basketOf, openShop, product, storedBasket } from "../testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  Reflect.deleteProperty(window, "BarcodeDetector");
  Reflect.deleteProperty(navigator, "mediaDevices");
});

const CREAM = { sku: "B", eng_name: "Name of B", brand: "Aurelle Skin", image: "" };

async function openSearch() {
  const shop = openShop({ catalogue: [product("A"), product("B")] });
  const asked = answer("get", "/product/suggest/{uuid}", {
    success: 1,
    brands: [{ brand_id: 2, eng: "Bomnal Botanics" }],
    products: [CREAM],
  });
  await screen.findByText("Name of A");
  const field = screen.getByRole("combobox", { name: "Search product name or SKU" });
  return { ...shop, asked, field };
}

it("suggests brands and products while somebody types, by keys alone", async () => {
  const { user, asked, field, lists } = await openSearch();
  await user.type(field, "na");
  expect(field).toHaveAttribute("aria-expanded", "false");
  await user.type(field, "m");
  const popup = await screen.findByRole("listbox", { name: "Suggestions" });
  const options = within(popup).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "Bomnal BotanicsBrand",
    "Name of BAurelle Skin · B",
  ]);
  expect(asked).toHaveLength(1);
  expect(field).toHaveAttribute("aria-expanded", "true");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(field).toHaveAttribute("aria-activedescendant", options[1]?.id);
  expect(options[1]).toHaveAttribute("aria-selected", "true");
  await user.keyboard("{Enter}");
  expect(field).toHaveValue("B");
  expect(screen.queryByRole("listbox", { name: "Suggestions" })).toBeNull();
  await waitFor(() => expect(lists.at(-1)?.url.searchParams.get("search")).toBe("B"));
});

it("leads to a brand that is chosen, and closes by Escape without losing what is typed", async () => {
  const { user, field, where } = await openSearch();
  await user.type(field, "nam");
  await screen.findByRole("listbox", { name: "Suggestions" });
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox", { name: "Suggestions" })).toBeNull();
  expect(field).toHaveValue("nam");
  await user.type(field, "e");
  await user.click(
    within(await screen.findByRole("listbox", { name: "Suggestions" })).getByText(
      "Bomnal Botanics",
    ),
  );
  await waitFor(() => expect(where()).toBe("/order?brand=2"));
});

it("leads by Enter to the first product that is found, and from there into the basket", async () => {
  const { user, field } = await openSearch();
  await user.type(field, "name of b{Enter}");
  await waitFor(() => expect(screen.queryByText("Name of A")).toBeNull());
  await waitFor(() => expect(screen.getByLabelText("Pieces of Name of B")).toHaveFocus());
  await user.keyboard("30{Enter}");
  expect(storedBasket()).toEqual(basketOf({ B: 30 }));
  // It leads once: what is typed next keeps the focus.
  await user.clear(field);
  await user.type(field, "name");
  await screen.findByText("Name of A");
  expect(field).toHaveFocus();
});

it("has no camera where the browser reads no barcodes", async () => {
  await openSearch();
  expect(screen.queryByRole("button", { name: "Scan a barcode" })).toBeNull();
});

function withCamera(getUserMedia: () => Promise<unknown>) {
  const codes = [{ rawValue: "4006381333931" }];
  class Detector {
    detect = async () => codes;
  }
  Object.defineProperty(window, "BarcodeDetector", { value: Detector, configurable: true });
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, "readyState", "get").mockReturnValue(4);
}

it("searches for the EAN that the camera reads, and lets the camera go", async () => {
  const stop = vi.fn();
  withCamera(async () => ({ getTracks: () => [{ stop }] }));
  const { user, field, lists } = await openSearch();
  await user.click(await screen.findByRole("button", { name: "Scan a barcode" }));
  await waitFor(() => expect(field).toHaveValue("4006381333931"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(stop).toHaveBeenCalled());
  await waitFor(() => expect(lists.at(-1)?.url.searchParams.get("search")).toBe("4006381333931"));
});

it("says that the camera is not allowed", async () => {
  withCamera(async () => Promise.reject(new DOMException("", "NotAllowedError")));
  const { user } = await openSearch();
  await user.click(await screen.findByRole("button", { name: "Scan a barcode" }));
  expect(await screen.findByText(/The camera is not allowed/)).toBeVisible();
});
