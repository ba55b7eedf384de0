import { focusManager, onlineManager } from "@tanstack/react-query";
import { act, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import ProposalsScreen from "./ProposalsScreen";
import type { NewTotals, Proposal, Proposals } from "./proposals";

const CODE = "MHW-261123-0027";

function proposal(id: number, fields: Partial<Proposal> = {}): Proposal {
  const ordered = { count: 20, price: 6, order_price: 120 };
  const proposed = { ...ordered, count: 8, order_price: 48, later: 0, expected: null };
  return {
    proposal_id: id,
    order_product_id: id,
    kind: "fewer",
    state: "open",
    applied: "",
    sku: `SKU-${id}`,
    eng_name: `Night Oil ${id}`,
    image: "",
    ordered,
    proposed: { ...proposed, sku: `SKU-${id}`, eng_name: "", image: "", expected_text: "" },
    reason: "",
    comment: "",
    difference: -72,
    unanswered: "accept",
    question: "",
    asked_at: null,
    proposed_by: "Mina Park",
    proposed_at: "2026-11-20T06:00:00Z",
    closed: "",
    ...fields,
  };
}

const COSTLY = proposal(2, { kind: "price", difference: 10, unanswered: "decline" });
const DONE = proposal(3, {
  state: "accepted",
  applied: "accept",
  closed: "Answered by Lena Vogt on Tue 24 Nov, 14:20 Seoul.",
});
const TOTALS: NewTotals = {
  real_total: 240,
  change: 0,
  new_total: 240,
  received: 240,
  balance: 0,
  overpayment: 0,
};

function open(proposals: Proposal[]) {
  const shown: Proposals = {
    success: 1,
    order_count: 40,
    open: proposals.filter(({ state }) => state === "open").length,
    answer_by: "2026-11-25T06:00:00Z",
    deadline: "Wed 25 Nov, 15:00 Seoul",
    proposals,
    ...TOTALS,
  };
  answer("get", "/order/proposals/{invoice_code}", shown);
  const asked = answer("post", "/order/proposals/{invoice_code}/totals", {
    success: 1,
    ...TOTALS,
    change: -72,
    new_total: 168,
    overpayment: 72,
  });
  const { user } = renderScreen(<ProposalsScreen invoiceCode={CODE} back="/invoice/2" />);
  return { user, shown, asked };
}

const sendButtons = () => screen.getAllByRole("button", { name: /^Send/ });
const row = async (name: string) =>
  within((await screen.findByRole("heading", { name })).closest("li") as HTMLElement);

it("accepts all that cost no more by one press and sends them with the server's figures", async () => {
  const { user, shown, asked } = open([proposal(1), COSTLY, DONE]);
  const sent = answer("post", "/order/proposals/{invoice_code}", shown);
  await user.click(await screen.findByRole("button", { name: /cost no more \(1\)/ }));
  expect((await row("Night Oil 1")).getByRole("radio", { name: "Accept" })).toBeChecked();
  expect((await row("Night Oil 2")).getByRole("radio", { name: "Accept" })).not.toBeChecked();
  expect(await screen.findAllByText("$168.00")).not.toHaveLength(0);
  expect(asked[0]?.body).toEqual({ answers: [{ proposal_id: 1, answer: "accept", question: "" }] });
  await user.click(sendButtons()[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("1 accepted")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Send 1 answer" }));
  expect(await screen.findByText("Your answers are sent.")).toBeVisible();
  expect(sent[0]?.body).toEqual({ answers: [{ proposal_id: 1, answer: "accept", question: "" }] });
});

it("waits for the words of a question", async () => {
  const { user } = open([proposal(1)]);
  await user.click((await row("Night Oil 1")).getByRole("radio", { name: "Ask" }));
  expect(sendButtons()[0]).toBeDisabled();
  expect(screen.getAllByText("Write your question first.")).toHaveLength(2);
  const field = screen.getByLabelText("Your question");
  expect(field).toHaveFocus();
  await user.type(field, "When?");
  expect(sendButtons()[0]).toBeEnabled();
  act(() => onlineManager.setOnline(false));
  expect(sendButtons()[0]).toBeDisabled();
  expect(screen.getAllByText("Answering needs a connection.")).toHaveLength(2);
  act(() => onlineManager.setOnline(true));
});

it("takes a letter for an answer, and is a problem to walk to while it is open", async () => {
  const { user } = open([proposal(1), DONE]);
  const one = await row("Night Oil 1");
  one.getByRole("radio", { name: "Accept" }).focus();
  await user.keyboard("d");
  expect(one.getByRole("radio", { name: "Decline" })).toBeChecked();
  await user.keyboard("{Control>}a{/Control}");
  expect(one.getByRole("radio", { name: "Decline" })).toBeChecked();
  await user.keyboard("a");
  expect(one.getByRole("radio", { name: "Accept" })).toBeChecked();
  expect(document.querySelectorAll("[data-problem]")).toHaveLength(1);
  await user.keyboard("q");
  expect(screen.getByLabelText("Your question")).toHaveFocus();
});

it("shows who answered before, and takes no answer there", async () => {
  open([proposal(1), DONE]);
  const done = await row("Night Oil 3");
  expect(done.getByText(/Answered by Lena Vogt/)).toBeVisible();
  expect(done.queryByRole("radio")).toBeNull();
});

it("says that a colleague was faster, and sends nothing", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined); // the refusal is noted
  const { user } = open([proposal(1)]);
  const errors = { "1": ["Answered by Lena Vogt on Tue 24 Nov, 14:20 Seoul."] };
  const body = { message: "A proposal is closed already.", code: "proposal_closed", errors };
  refuse("post", "/order/proposals/{invoice_code}", { status: 409, body });
  await user.click((await row("Night Oil 1")).getByRole("radio", { name: "Decline" }));
  await user.click(sendButtons()[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Send 1 answer" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("Answered by Lena Vogt");
  await user.click(dialog.getByRole("button", { name: "Back" }));
  await user.click(sendButtons()[0] as HTMLElement);
  expect(within(await screen.findByRole("dialog")).queryByRole("alert")).toBeNull();
});

it("offers nothing to send once a colleague has answered all, and says who once", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined); // the refusal is noted
  const { user, shown } = open([proposal(1), COSTLY]);
  const closed = "Answered by Lena Vogt on Tue 24 Nov, 14:20 Seoul.";
  const body = {
    message: "A proposal is closed already.",
    code: "proposal_closed",
    errors: { "1": [closed], "2": [closed] },
  };
  refuse("post", "/order/proposals/{invoice_code}", { status: 409, body });
  for (const name of ["Night Oil 1", "Night Oil 2"]) {
    await user.click((await row(name)).getByRole("radio", { name: "Decline" }));
  }
  await user.click(sendButtons()[0] as HTMLElement);
  const answered = [
    { ...DONE, proposal_id: 1 },
    { ...DONE, proposal_id: 2 },
  ];
  answer("get", "/order/proposals/{invoice_code}", { ...shown, open: 0, proposals: answered });
  await user.click(screen.getByRole("button", { name: "Send 2 answers" }));
  const dialog = await screen.findByRole("dialog", { name: "Nothing left to send" });
  const said = `${closed} Nothing was sent. Go back and look at it again.`;
  expect(within(dialog).getByText(said)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
  await user.click(within(dialog).getByRole("button", { name: "Back" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says who answered while the dialog was open, without a try to send", async () => {
  const { user, shown } = open([proposal(1)]);
  await user.click((await row("Night Oil 1")).getByRole("radio", { name: "Decline" }));
  await user.click(sendButtons()[0] as HTMLElement);
  const proposals = [{ ...DONE, proposal_id: 1 }];
  answer("get", "/order/proposals/{invoice_code}", { ...shown, open: 0, proposals });
  act(() => focusManager.setFocused(true));
  const dialog = await screen.findByRole("dialog", { name: "Nothing left to send" });
  expect(dialog).toHaveTextContent("Answered by Lena Vogt on Tue 24 Nov, 14:20 Seoul.");
  focusManager.setFocused(undefined);
});
