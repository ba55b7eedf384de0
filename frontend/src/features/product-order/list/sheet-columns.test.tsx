import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { server } from "@/test/server";
import type { SheetTab } from "./sheet-columns";
import "./ListDialog";
import "./SheetColumns";
import { openShop } from "../testing";
import { chooseFile, NOTHING_PASSED, reviewed } from "./testing-list";

const SHEET: SheetTab = {
  tab: 0,
  name: "Bestellung",
  head: 2,
  count: 5,
  rows: [
    { row: 1, cells: ["Bestellung KW 48", "", ""] },
    { row: 2, cells: ["Art.-Nr.", "Filiale A", "Filiale B"] },
    { row: 3, cells: ["NB-1001", "60", "6"] },
  ],
  kinds: ["own", "", ""],
  carton: 0,
  asks: "quantity",
  is_remembered: false,
};

/** Answers each sheet with these tabs, and the lines once their columns are named; returns what was said of them. */
function answerColumns(
  tabs: SheetTab[],
  lines = [reviewed(3, "AQ-1", { rows: [3, 4] })],
): unknown[] {
  const said: unknown[] = [];
  let named = false;
  vi.spyOn(FormData.prototype, "append").mockImplementation((name, value) => {
    if (name !== "columns") return;
    named = true;
    said.push(JSON.parse(String(value)));
  });
  server.use(
    http.post(`${window.location.origin}/api/basket/review`, () =>
      HttpResponse.json({
        ...NOTHING_PASSED,
        success: 1,
        lines,
        without_quantity: 0,
        unread: [],
        columns: named
          ? tabs.map((tab) => ({ ...tab, asks: "", kinds: ["own", "other", "qty"] }))
          : tabs,
      }),
    ),
  );
  return said;
}

async function sheet() {
  return within(await screen.findByRole("dialog", { name: "Your sheet" }));
}

test("a sheet is asked once which column holds the quantity, with its rows in sight", async () => {
  const said = answerColumns([SHEET]);
  const { user } = await openShop();
  await chooseFile(user);
  const asked = await sheet();
  expect(asked.getByText("2 could be it.")).toBeVisible();
  expect(asked.getByRole("cell", { name: "NB-1001" })).toBeVisible();
  const check = asked.getByRole("button", { name: "Check 2 rows" });
  expect(check).toBeDisabled();

  await user.click(asked.getByRole("button", { name: "Filiale A, pieces" }));
  await user.selectOptions(asked.getByLabelText("What Filiale B holds"), "Quantity, pieces");
  expect(asked.getByLabelText("What Filiale A holds")).toHaveValue("other");
  await user.click(check);

  expect(await screen.findByRole("dialog", { name: "Order from a list" })).toBeVisible();
  expect(said).toEqual([[{ tab: 0, head: 2, kinds: ["own", "other", "qty"], carton: 0 }]]);

  await user.click(screen.getByRole("button", { name: "Columns" }));
  const again = await sheet();
  await user.selectOptions(again.getByLabelText("What Filiale A holds"), "Remark");
  await user.click(again.getByRole("button", { name: "Check 2 rows" }));
  await waitFor(() => expect(said).toHaveLength(2));
  expect(said[1]).toEqual([{ tab: 0, head: 2, kinds: ["own", "note", "qty"], carton: 0 }]);
});

test("of a sheet in cartons it is asked how many pieces are in one", async () => {
  const kinds: SheetTab["kinds"] = ["own", "cartons", "other"];
  const said = answerColumns([{ ...SHEET, kinds, asks: "carton" }]);
  const { user } = await openShop();
  await chooseFile(user);
  const asked = await sheet();
  await user.type(asked.getByLabelText("Pieces in a carton"), "12x");
  await user.click(asked.getByRole("button", { name: "Check 2 rows" }));
  await waitFor(() => expect(said).toEqual([[{ tab: 0, head: 2, kinds, carton: 12 }]]));
});

test("a tab can be left out, and another one named", async () => {
  const other: SheetTab = {
    ...SHEET,
    tab: 1,
    name: "Lager",
    asks: "",
    kinds: ["own", "qty", "other"],
  };
  const said = answerColumns([SHEET, other]);
  const { user } = await openShop();
  await chooseFile(user);
  const asked = await sheet();
  for (const column of ["Art.-Nr.", "Filiale A", "Filiale B"]) {
    await user.selectOptions(asked.getByLabelText(`What ${column} holds`), "Leave out");
  }
  await user.selectOptions(asked.getByLabelText("Tab"), "Lager");
  await user.selectOptions(asked.getByLabelText("What Filiale B holds"), "Price");
  // No row of this tab was read as a line yet.
  await user.click(asked.getByRole("button", { name: "Check the rows" }));
  await waitFor(() =>
    expect(said).toEqual([
      [
        { tab: 0, head: 2, kinds: ["other", "other", "other"], carton: 0 },
        { tab: 1, head: 2, kinds: ["own", "qty", "price"], carton: 0 },
      ],
    ]),
  );
});

test.each([
  { asks: "" as const, kind: "qty" as const, unit: "pieces" },
  { asks: "carton" as const, kind: "cartons" as const, unit: "cartons" },
])(
  "two columns of the same quantity ($unit) are told apart before the rows are read",
  async ({ asks, kind, unit }) => {
    const said = answerColumns([
      { ...SHEET, asks: "columns", kinds: ["own", "", ""] },
      { ...SHEET, tab: 1, name: "Zwei", asks, kinds: ["own", kind, kind] },
    ]);
    const { user } = await openShop();
    await chooseFile(user);
    const asked = await sheet();
    for (const column of ["Art.-Nr.", "Filiale A", "Filiale B"]) {
      await user.selectOptions(asked.getByLabelText(`What ${column} holds`), "Leave out");
    }
    await user.selectOptions(asked.getByLabelText("Tab"), "Zwei");
    await user.selectOptions(asked.getByLabelText("What Art.-Nr. holds"), "SKU");
    expect(asked.getByText("Which column alone holds the quantity?")).toBeVisible();
    expect(asked.getAllByText("Quantity?")).toHaveLength(2);
    const check = asked.getByRole("button", { name: "Check the rows" });
    expect(check).toBeDisabled();

    await user.click(asked.getByRole("button", { name: `Filiale B, ${unit}` }));
    expect(asked.queryByText("Which column alone holds the quantity?")).toBeNull();
    await user.click(check);
    await waitFor(() => expect(said).toHaveLength(1));
    expect(said[0]).toMatchObject([{ tab: 0 }, { tab: 1, kinds: ["sku", "other", kind] }]);
  },
);
