import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { user as buyer, SHIP } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { AccountScreen } from "./AccountScreen";
import { AddressesPart } from "./AddressesPart";
import { CodesPart } from "./CodesPart";
import { DocumentsPart } from "./DocumentsPart";
import { Overview } from "./Overview";
import { quickRanges, StatementPart } from "./StatementPart";

const PLACE = { country: "Poland", state: "" };
const CODE = "MHW-261104-0015";
const ORDER = `/invoice/0?invoice_code=${CODE}`;

function answerStatement() {
  return answer("get", "/account/statement", ({ url }) => ({
    success: 1,
    since: url.searchParams.get("since") ?? "2026-11-01",
    until: url.searchParams.get("until") ?? "2026-11-13",
    opening: 0,
    charges: 3421.5,
    credits: -3421.5,
    closing: 0,
    lines: [
      line("Deposit asked", { charge: 3421.5, balance: 3421.5 }),
      line("Receipt, bank wire", { credit: -3421.5 }),
      { ...line("Wallet credit, sent back by bank", { charge: 30 }), invoice_code: "" },
    ],
  }));
}

function line(text: string, amounts: { charge?: number; credit?: number; balance?: number }) {
  const none = { charge: 0, credit: 0, balance: 0 };
  const paper = text.startsWith("Receipt") ? { name: "Receipt.pdf", url: "/files/receipt" } : null;
  return { on: "2026-11-04", text, invoice_code: CODE, ...none, ...amounts, paper };
}

it("lists each line of the statement with its order, between opening and closing", async () => {
  answerStatement();
  renderScreen(<StatementPart />, { at: "/account/statement" });
  const row = await screen.findByRole("row", { name: /Receipt, bank wire/ });
  expect(within(row).getByRole("link", { name: CODE })).toHaveAttribute("href", ORDER);
  expect(within(row).getByText("– $3,421.50")).toBeVisible();
  const paper = within(row).getByRole("link", { name: "Receipt, bank wire" });
  expect(paper).toHaveAttribute("href", "/files/receipt");
  expect(screen.queryByRole("link", { name: "Deposit asked" })).toBeNull();
  const sentBack = screen.getByRole("row", { name: /Wallet credit, sent back by bank/ });
  expect(within(sentBack).queryByRole("link")).toBeNull();
  const rows = screen.getAllByRole("row").map((found) => found.textContent);
  expect(rows[1]).toBe("1 Nov 2026Opening balance$0.00");
  expect(rows.at(-1)).toBe("13 Nov 2026Closing balanceCharges $3,421.50Credits – $3,421.50$0.00");
});

it("asks for the days that are chosen, keeps them in the address and saves them as a file", async () => {
  const calls = answerStatement();
  const { user, where } = renderScreen(<StatementPart />, {
    at: "/account/statement?since=2026-10-01&until=2026-10-31",
  });
  expect(await screen.findByLabelText("From")).toHaveValue("2026-10-01");
  URL.createObjectURL = () => "blob:statement";
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
  await user.click(screen.getByRole("button", { name: "Download" }));
  await user.click(await screen.findByRole("menuitem", { name: "PDF" }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.url.search).toBe("?since=2026-10-01&until=2026-10-31&format=pdf");
  expect(clicked.mock.contexts[0]).toHaveProperty(
    "download",
    "Statement_of_account_2026-10-01_2026-10-31.pdf",
  );

  const asked = calls.length;
  await user.clear(screen.getByLabelText("To"));
  await user.type(screen.getByLabelText("To"), "2026-09-01");
  expect(screen.getByText("“From” is after “To”.")).toBeVisible();
  expect(calls).toHaveLength(asked);
  await user.selectOptions(screen.getByLabelText("Period"), "Last month");
  const wanted = quickRanges(new Date())[1];
  expect(where()).toBe(`/account/statement?since=${wanted?.since}&until=${wanted?.until}`);
  await waitFor(() => expect(calls.at(-1)?.url.searchParams.get("until")).toBe(wanted?.until));
});

it("knows the days of months, quarters and years", () => {
  expect(quickRanges(new Date(2026, 1, 3))).toEqual([
    { label: "This month", since: "2026-02-01", until: "2026-02-03" },
    { label: "Last month", since: "2026-01-01", until: "2026-01-31" },
    { label: "This quarter", since: "2026-01-01", until: "2026-02-03" },
    { label: "2026", since: "2026-01-01", until: "2026-02-03" },
  ]);
});

function answerAddresses(fields: object = {}) {
  const countryList = [{ address_id: 1, content: "Poland" }];
  return answer("get", "/account/addresses", {
    ...{ success: 1, addresses: [], default: SHIP, countryList },
    ...fields,
  });
}

it("counts what each part holds, and counts anew once a part has changed", async () => {
  const found = { success: 1, owed: 1983.4, wallet: 6060.2, documents: 1064, addresses: 3 };
  const counts = answer("get", "/account/counts", { ...found, baskets: 4 });
  answerAddresses({
    addresses: [{ ...SHIP, address_id: 2, name: "Berlin", ...PLACE, is_default: true }],
  });
  const wish = { success: 1, offers: { lines: [], pieces: 0, until: "" }, next: null };
  answer("get", "/account/wishes", { ...wish, wishes: [] });
  answer("get", "/account/own-codes", { success: 1, codes: [], next: null });
  const { user } = renderScreen(
    <AccountScreen part="addresses">
      <AddressesPart />
    </AccountScreen>,
  );
  const nav = within(screen.getByRole("navigation", { name: "Account" }));
  expect(await nav.findByRole("link", { name: "Documents 1,064" })).toBeVisible();
  for (const name of ["Wallet $6,060.20", "Addresses 3", "Baskets 4", "Statement"]) {
    expect(nav.getByRole("link", { name })).toBeVisible();
  }
  expect(nav.queryByRole("link", { name: /Waiting list|Item codes/ })).toBeNull();
  answer("delete", "/account/addresses/{address_id}", { success: 1 });
  answer("post", "/check", { success: 1, token: "t", user: buyer() });
  await user.click(await screen.findByRole("button", { name: "Delete Berlin" }));
  await answerAlert(user, "Delete the address “Berlin”?", "Confirm");
  await waitFor(() => expect(counts).toHaveLength(2));
});

it("says what is owed and when, and leads to the order", async () => {
  answerAddresses();
  answer("get", "/account", ({ url }) => ({
    success: 1,
    owed: 1983.4,
    reviewed: 417.9,
    wallet: 6060.2,
    ordered: { year: 2026, orders: 18, amount: 104286.66 },
    orders: 2,
    next: url.searchParams.has("page") ? null : 2,
    rows: [
      {
        invoice_code: url.searchParams.has("page") ? "MHW-9" : CODE,
        po_number: "4500102",
        status_id: 3,
        kind: "Balance" as const,
        payment: "Balance due" as const,
        payment_tone: "warn" as const,
        amount: 535.5,
        due: "Fri 27 Nov",
        late: false,
        action: "Pay",
      },
    ],
  }));
  answerDocuments();
  const { user } = renderScreen(<Overview />);
  const row = await screen.findByRole("row", { name: /^Balance/ });
  for (const text of ["Balance due", "Fri 27 Nov", "$535.50"]) {
    expect(within(row).getByText(text)).toBeVisible();
  }
  expect(within(row).getByRole("link", { name: `Pay, ${CODE}` })).toHaveAttribute("href", ORDER);
  for (const text of [
    "$6,060.20",
    "Ordered in 2026",
    "$104,286.66",
    "18 orders",
    /^next due Fri 27 Nov/,
    "included in Outstanding",
  ]) {
    expect(screen.getByText(text)).toBeVisible();
  }
  const address = await screen.findByRole("region", { name: "Default address" });
  for (const line of [buyer().company, "ul. Lipowa 51, lok. 14", "00-682 Warszawa, Poland"]) {
    expect(address).toHaveTextContent(line);
  }
  expect(within(address).getByRole("link")).toHaveAttribute("href", "/account/addresses");
  expect(await screen.findByRole("link", { name: "Receipt.pdf" })).toBeVisible();
  expect(screen.getByText("of 2 orders")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByRole("link", { name: "Pay, MHW-9" })).toBeVisible();
});

it("leads a company without orders to its first", async () => {
  const ordered = { year: 2026, orders: 0, amount: 0 };
  const none = { owed: 0, reviewed: 0, wallet: 0, orders: 0, next: null, rows: [] };
  answer("get", "/account", { success: 1, ordered, ...none });
  answerAddresses();
  answerDocuments();
  renderScreen(<Overview />);
  const first = await screen.findByRole("link", { name: "Choose products" });
  expect(first).toHaveAttribute("href", "/order");
  expect(screen.queryByText("$0.00")).toBeNull();
});

function answerDocuments() {
  return answer("get", "/account/documents", ({ url }) => {
    const more = url.searchParams.has("after");
    const name = more ? "Proforma.pdf" : "Receipt.pdf";
    return {
      success: 1,
      documents: [
        {
          name,
          kind: "receipt" as const,
          amount: 1983.4,
          invoice_code: CODE,
          po_number: "",
          on: "2026-11-20",
          url: `/files/${name}`,
        },
      ],
      next: more ? null : 12,
    };
  });
}

it("searches the documents, and shows more of them", async () => {
  const calls = answerDocuments();
  const { user } = renderScreen(<DocumentsPart />);
  expect(await screen.findByRole("link", { name: "Receipt.pdf" })).toHaveAttribute(
    "href",
    "/files/Receipt.pdf",
  );
  expect(screen.getByText("$1,983.40")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByRole("link", { name: "Proforma.pdf" })).toBeVisible();
  const kind = screen.getByRole("combobox", { name: "Kind of document" });
  await user.selectOptions(kind, "Receipts");
  await waitFor(() => expect(calls.at(-1)?.url.search).toBe("?kind=receipt"));
  await user.selectOptions(kind, "All kinds");
  await user.type(screen.getByRole("searchbox"), "po 7");
  await waitFor(() => expect(calls.at(-1)?.url.search).toBe("?search=po%207"));
});

it("lists the company's own codes, and forgets one after a question", async () => {
  const product = { sku: "AUR-BC050", eng_name: "Barrier Bloom Cream" };
  const code = { own_code_id: 4, code: "AC-40", pieces: null, ...product };
  const box = { own_code_id: 5, code: "BOX OF AUR-BC050", pieces: 36, ...product };
  answer("get", "/account/own-codes", { success: 1, codes: [code, box], next: null });
  const removed = answer("delete", "/account/own-codes/{own_code_id}", { success: 1 });
  const { user } = renderScreen(<CodesPart />);
  const row = await screen.findByRole("row", { name: /AC-40/ });
  expect(within(row).getByText("Barrier Bloom Cream")).toBeVisible();
  expect(screen.getByText("Barrier Bloom Cream · 36 pieces")).toBeVisible();
  answer("get", "/account/own-codes", { success: 1, codes: [], next: null });
  await user.click(screen.getByRole("button", { name: "Forget AC-40" }));
  await user.click(await screen.findByRole("button", { name: /OK|Confirm|Yes/ }));
  expect(await screen.findByText("No item codes yet.")).toBeVisible();
  expect(removed.map(({ params }) => params)).toEqual([{ own_code_id: "4" }]);
});
