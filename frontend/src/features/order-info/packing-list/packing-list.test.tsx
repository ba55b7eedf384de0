import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { configuration, orderDetails } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { PackingListButton } from "./PackingListButton";
// Loaded with the file, so that no test waits for the chunk.
import "./PackingListView";

const BOX = { box_id: 7, count: 1, weight: 14_200, length: 52, width: 40, height: 34, cbm: 0.071 };
const SHIPPER = {
  name: "Maren & Holt Co., Ltd.",
  address: "27 Bomgil-ro, Seoul",
  second_address: "Warehouse: Busan",
  phone: "+82 2 0",
  tax_number: "",
};

/** An order in five boxes: the second to fourth are alike, and nothing is in the last. */
function packed(order: Parameters<typeof orderDetails>[0] = {}) {
  return orderDetails(
    {
      status_id: 3,
      allowed: { packing_list: true },
      packing_status: 2,
      packing_list_pdf: "/files/MHW-1/list.pdf",
      packing_build_date: "2026-11-14",
      packing_remarks: "Keep dry.\nStore below 25 °C.",
      packing_terms: "EXW Seoul",
      ship_address2: "",
      ...order,
    },
    {
      box: [
        BOX,
        { ...BOX, box_id: 9, count: 3, weight: 11_600, length: 44.5, cbm: 0.182 },
        { ...BOX, box_id: 8, weight: 7 },
      ],
      boxProduct: [
        { box_id: 7, eng_name: "Barrier Bloom Cream", qty: 60, packing_id: 1 },
        { box_id: 9, eng_name: "수분 진정 크림", qty: 1_048, packing_id: 3 },
        { box_id: 9, eng_name: "Crème Façade", qty: 40, packing_id: 2 },
      ],
      packint_qty_total: 3_324,
      packint_weight_total: 49_007,
      packint_cbm_total: 0.324,
    },
  );
}

function render(order?: Parameters<typeof orderDetails>[0]) {
  renderScreen(<PackingListButton packed={packed(order)} />);
  return userEvent.setup();
}

async function open(order?: Parameters<typeof orderDetails>[0]) {
  const user = render(order);
  await user.click(screen.getByRole("button", { name: "P/L" }));
  const view = within(await screen.findByRole("dialog", { name: "PACKING LIST" }));
  await view.findByRole("table");
  return { user, view };
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answer("get", "/config", configuration({ shipper: SHIPPER }));
});

it("has no button before the packing is complete", () => {
  render({ allowed: { packing_list: false }, packing_list_pdf: null });
  expect(screen.queryByRole("button")).toBeNull();
});

it("lists the boxes numbered through, boxes alike in one, with the totals once", async () => {
  const { view } = await open();
  const rows = within(view.getByRole("table")).getAllByRole("row");
  expect(rows.map(({ children }) => [...children].map((cell) => cell.textContent))).toEqual([
    ["Box", "Description of goods", "Qty", "Gross weight (kg)", "L × W × H (cm)", "CBM"],
    ["No. 1", "Barrier Bloom Cream", "60", "14.200", "52 × 40 × 34", "0.071"],
    ["No. 2–4", "수분 진정 크림", "3,1443 × 1,048", "34.8003 × 11.600", "44.5 × 40 × 34", "0.182"],
    ["Crème Façade", "1203 × 40"],
    ["No. 5", "", "", "0.007", "52 × 40 × 34", "0.071"],
    ["Total", "5 boxes", "3,324", "49.007", "", "0.324"],
  ]);
});

it("names the parties, the invoice and the terms", async () => {
  const { view } = await open({
    packing_notify: "Søren Ågård, Århus",
    po_number: "4500131",
    tax_number: "PL52600",
  });
  const blocks = view.getAllByRole("term").map((term) => {
    return [term.textContent, term.nextElementSibling?.textContent];
  });
  expect(blocks).toEqual([
    ["Shipper", "Maren & Holt Co., Ltd.\n27 Bomgil-ro, Seoul\nWarehouse: Busan\n+82 2 0"],
    ["Invoice number and date", "MHW-1\nPO number 4500131\n2026-11-14"],
    [
      "Consignee",
      "Brightwater Trading Co.\nul. Lipowa 51\n00-682 Warszawa, Mazowieckie, Poland\n+48 22 555 01 74\nTax/EORI number PL52600",
    ],
    ["Remarks", "Keep dry.\nStore below 25 °C."],
    ["Notify party", "Søren Ågård, Århus"],
    ["Terms", "EXW Seoul"],
  ]);
});

it("puts the consignee for an empty notify party, and the order's date for the packing's", async () => {
  const { view } = await open({ packing_build_date: null, build_date: "2026-11-12" });
  expect(view.getByText("Same as consignee")).toBeVisible();
  expect(view.getByText(/MHW-1\s2026-11-12/)).toBeVisible();
});

it("downloads the PDF of the same sheet, and Cancel leads back to its button", async () => {
  const { user, view } = await open();
  const download = view.getByRole("link", { name: "PDF Download" });
  expect(download).toHaveAttribute("href", "/files/MHW-1/list.pdf");
  await waitFor(() => expect(download).toHaveFocus());
  expect(document.title).toBe("Packing list MHW-1 · Maren & Holt");

  await user.click(view.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: "P/L" })).toHaveFocus());
  expect(document.title).not.toContain("MHW-1");

  await user.click(screen.getByRole("button", { name: "P/L" }));
  await screen.findByRole("dialog", { name: "PACKING LIST" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("shows no sheet without its shipper, and tries again", async () => {
  refuse("get", "/config", { status: 502 });
  const user = render();
  await user.click(screen.getByRole("button", { name: "P/L" }));
  const alert = await screen.findByRole("alertdialog");
  expect(alert).toHaveTextContent("Something went wrong. Please contact the administrator.");
  await user.click(within(alert).getByRole("button", { name: "OK" }));
  expect(screen.queryByRole("table")).toBeNull();
  answer("get", "/config", configuration({ shipper: SHIPPER }));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/27 Bomgil-ro/)).toBeVisible();
});
