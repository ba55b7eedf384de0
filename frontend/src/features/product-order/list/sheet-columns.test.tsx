import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { answer } from "@/test/server";
import { openShop } from "../testing";
import type { SheetTab } from "./list-in-hand";
import { columnName, openQuestion } from "./SheetColumns";
import { answerReview, chooseFile, dialog, layOutRows, reviewed, reviewOf } from "./testing";

layOutRows();

const SHEET: SheetTab = {
  ...{ tab: 0, name: "Bestellung", head: 2, count: 3, carton: 0, readings: [], why: "" },
  ...{ is_remembered: false, is_read: true, is_proposed: true, asks: "quantity", looks_like: "" },
  choices: [
    { columns: [1], text: "Filiale A: 60 pieces" },
    { columns: [2], text: "Filiale B: 6 pieces" },
    { columns: [1, 2], text: "Both added up: 66 pieces" },
  ],
  rows: [
    { row: 1, cells: ["Bestellung KW 48", "", ""] },
    { row: 2, cells: ["Art.-Nr.", "Filiale A", "Filiale B"] },
    { row: 3, cells: ["NB-1001", "60", "6"] },
  ],
  kinds: ["own", "", ""],
};
const STOCK: SheetTab = {
  ...{ ...SHEET, tab: 1, name: "Lager", is_read: false, is_proposed: false },
  ...{ asks: "", choices: [], why: "Prices or stock.", rows: [], kinds: [] },
};
const LINE = reviewed(3, "A", { rows: [3] });

/** Opens a sheet with these tabs; what is sent next is answered without a question. */
async function openSheet(...tabs: SheetTab[]) {
  const sent = answerReview([LINE], { columns: tabs });
  const { user } = openShop();
  await chooseFile(user);
  const popup = await dialog("Your sheet");
  sent.length = 0;
  answer("post", "/basket/review", reviewOf([LINE], { columns: tabs.map(settled) }));
  return { user, popup, sent };
}

const settled = (tab: SheetTab): SheetTab => ({
  ...{ ...tab, asks: "", choices: [], kinds: ["own", "other", "qty"] },
});
const said = (fields: object) => [
  { tab: "0" },
  { columns: JSON.stringify([{ tab: 0, head: 2, kinds: [], carton: 0, decimal: "", ...fields }]) },
];
const readings: SheetTab["readings"] = [
  { decimal: ",", sample: "10,000 means 10", total: 110 },
  { decimal: ".", sample: "10,000 is ten thousand", total: 110_000 },
];

type Act = (popup: Awaited<ReturnType<typeof dialog>>, user: UserEvent) => Promise<void>;
const press =
  (role: "button" | "radio", name: RegExp): Act =>
  (popup, user) =>
    user.click(popup.getByRole(role, { name }));

it.each<{
  question: string;
  sheet: Partial<SheetTab>;
  act: Act;
  kinds: string[];
  decimal?: string;
}>([
  {
    question: "Which column holds the quantity?",
    sheet: {},
    act: press("button", /^Filiale B: 6 pieces$/),
    kinds: ["own", "other", "qty"],
  },
  {
    question: "This looks like a table. Which column holds the quantity?",
    sheet: { looks_like: "This looks like a table." },
    act: press("button", /^Both added up: 66 pieces$/),
    kinds: ["own", "qty", "qty"],
  },
  {
    question: "Which column names the product?",
    sheet: { asks: "columns", choices: [], kinds: ["", "", "qty"] },
    act: (popup, user) => user.selectOptions(popup.getByLabelText("Art.-Nr."), "Your item code"),
    kinds: ["own", "", "qty"],
  },
  {
    question: "Which number format is used?",
    sheet: { asks: "number", choices: [], kinds: ["own", "", "qty"], readings },
    act: press("radio", /^10,000 means 10.*110 pieces in all$/),
    kinds: ["own", "", "qty"],
    decimal: ",",
  },
])(
  "asks once, with its rows in sight: $question",
  async ({ question, sheet, act, kinds, decimal }) => {
    const { user, popup, sent } = await openSheet({ ...SHEET, ...sheet });
    expect(popup.getByText(question)).toBeVisible();
    expect(popup.getByRole("cell", { name: "NB-1001" })).toBeVisible();
    expect(popup.queryByLabelText("Tab")).toBeNull();
    const check = popup.getByRole("button", { name: "Check list" });
    expect(check).toBeDisabled();
    await act(popup, user);
    await user.click(check);
    expect(await screen.findByText("1 line ready")).toBeVisible();
    expect(sent).toEqual(said({ kinds, ...(decimal && { decimal }) }));
  },
);

it("asks how many pieces are in a carton, or leaves it to each line", async () => {
  const kinds: SheetTab["kinds"] = ["own", "cartons", "other"];
  const { user, popup, sent } = await openSheet({ ...SHEET, kinds, asks: "carton", choices: [] });
  expect(popup.getByRole("button", { name: "Check list" })).toBeEnabled();
  const carton = popup.getByLabelText("Pieces per carton");
  await user.type(carton, "1.2");
  expect(popup.getByText("“1.2” is not a number of pieces.")).toBeVisible();
  expect(popup.getByRole("button", { name: "Check list" })).toBeDisabled();
  await user.clear(carton);
  await user.type(carton, "12");
  await user.click(popup.getByRole("button", { name: "Check list" }));
  await waitFor(() => expect(sent).toEqual(said({ kinds, carton: 12 })));
});

it("names the tab that is read first, and reads another one without asking about this", async () => {
  const { user, popup, sent } = await openSheet(SHEET, STOCK);
  const tab = popup.getByLabelText("Tab");
  expect(tab).toHaveDisplayValue("Bestellung · 3 rows");
  await user.selectOptions(tab, "Lager · 3 rows · Prices or stock.");
  expect(await screen.findByText("1 line ready")).toBeVisible();
  expect(sent).toEqual([{ tab: "1" }]);
  expect(screen.getByText("Price_List.xlsx · tab “Bestellung” of 2")).toBeVisible();
});

it("can be changed from the review: what is decided stays", async () => {
  const { user, popup, sent } = await openSheet(SHEET);
  await user.click(popup.getByRole("button", { name: /^Filiale B/ }));
  await user.click(popup.getByRole("button", { name: "Check list" }));
  await user.click(await screen.findByRole("button", { name: "Skip Name of A" }));
  await user.click(screen.getByRole("button", { name: "Columns" }));
  const again = await dialog("Your sheet");
  await user.selectOptions(again.getByLabelText("Filiale A"), "Quantity, pieces");
  expect(again.getByLabelText("Filiale B")).toHaveValue("other");
  sent.length = 0;
  await user.click(again.getByRole("button", { name: "Check list" }));
  expect(await screen.findByText("Skipped")).toBeVisible();
  expect(sent).toEqual(said({ kinds: ["own", "qty", "other"] }));
});

it("says what its columns are called, and what is missing", () => {
  const nameless = { ...SHEET, head: 0 };
  expect([0, 25, 26, 27].map((column) => columnName(nameless, column))).toEqual(
    ["A", "Z", "AA", "AB"].map((letters) => `Column ${letters}`),
  );
  const kinds: SheetTab["kinds"] = ["name", "cartons"];
  const plain = { tab: 0, head: 0, carton: 0, decimal: "" as const };
  expect(openQuestion({ ...plain, kinds }, SHEET)).toBe("");
});
