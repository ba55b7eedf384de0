import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import type { Schemas } from "@/api/client";
import { orderDetails } from "@/test/builders";
import { answer, server } from "@/test/server";
import { openOrder } from "./testing";

type Wire = NonNullable<Schemas["AnnouncedWire"]["wire"]>;

const SLIP = new File(["%PDF-"], "slip.pdf", { type: "application/pdf" });
const WIRE: Wire = {
  kind: "balance",
  amount: 535.5,
  depositor: "Glow",
  on: "2026-11-20",
  proof: null,
};
const REVIEW = {
  kind: "balance_review",
  tone: "accent",
  title: "Your balance is under review: $535.50",
  text: "",
  amount: 535.5,
  rows: [] as never[],
} as const;

afterEach(() => vi.restoreAllMocks());

/** Takes or refuses the files of a call, and returns what was sent. */
function answerFiles(call: string, respond: () => Response): File[] {
  const sent: File[] = [];
  vi.spyOn(FormData.prototype, "append").mockImplementation(
    (_, file) => void sent.push(file as File),
  );
  server.use(http.post(`${window.location.origin}/api/order/${call}/:code`, respond));
  return sent;
}

const taken = () => HttpResponse.json({ success: 1 });

it("takes a proof of payment at an announced wire, and says when it was seen", async () => {
  const sent = answerFiles("wire-proof", taken);
  const proof = { name: "slip.pdf", url: "/files/slip", on: "2026-11-20", seen_on: null };
  let wire = WIRE;
  answer("get", "/order/wire/{invoice_code}", () => ({ success: 1, wire }));
  const { user } = openOrder({ status_id: 3, next_step: REVIEW });
  const chooser = await screen.findByLabelText("Attach a proof of payment", { selector: "input" });
  wire = { ...WIRE, proof };
  await user.upload(chooser, SLIP);
  expect(await screen.findByRole("link", { name: "slip.pdf" })).toHaveAttribute(
    "href",
    "/files/slip",
  );
  expect(screen.getByText("Being checked")).toBeVisible();
  expect(sent.map(({ name }) => name)).toEqual(["slip.pdf"]);

  answer("delete", "/order/wire-proof/{invoice_code}", { success: 1 });
  wire = { ...WIRE, proof: { ...proof, seen_on: "2026-11-21" } };
  await user.click(screen.getByRole("button", { name: "Remove slip.pdf" }));
  expect(await screen.findByText("Seen by us on 21 Nov 2026")).toBeVisible();
});

it("says in place why a file was refused", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const errors = { file: ["Only PDF, JPEG and PNG files can be uploaded."] };
  answerFiles("wire-proof", () =>
    HttpResponse.json({ success: 0, code: "invalid", message: "", errors }, { status: 400 }),
  );
  answer("get", "/order/wire/{invoice_code}", { success: 1, wire: WIRE });
  const { user } = openOrder({ status_id: 3, next_step: REVIEW });
  await user.upload(
    await screen.findByLabelText("Attach a proof of payment", { selector: "input" }),
    SLIP,
  );
  expect(await screen.findByText(errors.file[0] as string)).toBeVisible();
});

it("keeps the file of the buyer's own order beside its number", async () => {
  const sent = answerFiles("po-file", taken);
  const { user } = openOrder({});
  await user.click(await screen.findByRole("button", { name: "Add PO number" }));
  const dialog = within(await screen.findByRole("dialog", { name: "PO number" }));
  const po_file = { name: "PO 12.pdf", url: "/files/po" };
  answer("get", "/details/{invoice_code}", orderDetails({ po_file }));
  await user.upload(dialog.getByLabelText("Attach the PO file", { selector: "input" }), SLIP);
  expect(await dialog.findByRole("link", { name: "PO 12.pdf" })).toBeVisible();
  expect(sent).toEqual([SLIP]);
  await waitFor(() => expect(dialog.getByRole("button", { name: "Choose another" })).toBeEnabled());
});
