import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answerAlert } from "@/test/render";
import { answer } from "@/test/server";
import {
  acceptTerms,
  answerUpload,
  certificate,
  field,
  fillPasswords,
  openForm,
  render,
  submit,
  WRONG,
} from "./testing";

const UPLOADED = { status: 200, body: { success: 1, file_name: "0b6c.pdf" } };
const LARGE = "Only files below 5MB can be uploaded.";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it("sends the file with the link's token and address, and its stored name with the form", async () => {
  const uploads = answerUpload(() => UPLOADED);
  const signUps = answer("post", "/register/sign-up", { success: 1 });
  const { user } = await openForm({});
  await user.upload(field("Certificate"), certificate());
  expect(await screen.findByText("2 KB · uploaded")).toBeVisible();
  expect(screen.getByText("registration.pdf")).toBeVisible();
  const [sent] = uploads.map((form) => Object.fromEntries(form.entries()));
  expect(sent).toMatchObject({ email: "ines@glow.test", token: "t0ken" });
  expect(sent?.certificate_files).toHaveProperty("type", "application/pdf");
  await fillPasswords(user);
  await acceptTerms(user);
  await submit(user);
  await screen.findByRole("dialog", { name: "Sign up" });
  expect(signUps[0]?.body).toMatchObject({ certificate_files: "0b6c.pdf" });
});

it("refuses a file over 5 MB without sending it", async () => {
  const uploads = answerUpload(() => UPLOADED);
  const { user } = await openForm();
  await user.upload(field("Certificate"), certificate("big.pdf", 5 * 1024 * 1024 + 1));
  expect(field("Certificate")).toBeInvalid();
  expect(screen.getByText(LARGE)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(uploads).toEqual([]);
});

it.each([
  [413, { message: LARGE, code: "too_large" }, LARGE],
  [400, { message: "x", errors: { certificate_files: ["This is no PDF."] } }, "This is no PDF."],
  [429, { message: "x", code: "throttled" }, "Too many attempts. Please wait a moment."],
])("shows the server's refusal with %i in place", async (status, body, text) => {
  answerUpload(() => ({ status, body }));
  const { user } = await openForm();
  await user.upload(field("Certificate"), certificate());
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(field("Certificate")).toBeValid();
});

it.each([
  { status: 500, body: {}, told: WRONG },
  { status: 503, body: { code: "unavailable", message: "Please try again in a moment." } },
])("can try again after an upload that failed with $status", async ({ told, ...refusal }) => {
  answerUpload(() => refusal);
  const { user } = await openForm();
  await user.upload(field("Certificate"), certificate());
  if (told) await answerAlert(user, told);
  else expect(await screen.findByText("Please try again in a moment.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  answerUpload(() => UPLOADED);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("2 KB · uploaded")).toBeVisible();
});

it("a link that has expired leads to the first step", async () => {
  answerUpload(() => ({ status: 409, body: { code: "expired", message: "x" } }));
  const { user, where } = await openForm();
  await user.upload(field("Certificate"), certificate());
  await answerAlert(user, "Your token has expired.");
  await waitFor(() => expect(where()).toBe("/register"));
});

it("a stopped upload leaves what was there before", async () => {
  answerUpload(() => UPLOADED);
  const { user } = await openForm();
  await user.upload(field("Certificate"), certificate("first.pdf"));
  await screen.findByText("2 KB · uploaded");
  answerUpload(() => new Promise<never>(() => undefined));
  await user.upload(field("Certificate"), certificate("second.pdf"));
  expect(await screen.findByText("second.pdf")).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByText("first.pdf")).toBeVisible();
  expect(screen.queryByRole("progressbar")).toBeNull();
});

it("a file may be dropped, replaced and removed; its name survives a reload", async () => {
  answerUpload(() => UPLOADED);
  const { user, unmount } = await openForm();
  const target = screen.getByText("Drop a file here, or choose one");
  fireEvent.drop(target, { dataTransfer: { files: [certificate("dropped.pdf")] } });
  await screen.findByText("2 KB · uploaded");
  unmount();
  render();
  expect(await screen.findByText("dropped.pdf")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(screen.getByText("Drop a file here, or choose one")).toBeVisible();
  expect(field("Certificate")).toHaveFocus();
});

it("the form is not sent without a file that was chosen and did not arrive", async () => {
  const signUps = answer("post", "/register/sign-up", { success: 1 });
  const { user } = await openForm({});
  await user.upload(field("Certificate"), certificate("big.pdf", 5 * 1024 * 1024 + 1));
  await fillPasswords(user);
  await acceptTerms(user);
  await submit(user);
  await waitFor(() => expect(field("Certificate")).toHaveFocus());
  expect(signUps).toEqual([]);
});
