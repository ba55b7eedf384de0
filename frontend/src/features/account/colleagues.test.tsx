import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { ColleaguesPart } from "./ColleaguesPart";

async function open() {
  const lists = answer("get", "/account/colleagues", {
    success: 1,
    colleagues: [
      { manager: "Ada Nowak", email: "ada@glow.test", is_waiting: true },
      { manager: "Ines Lang", email: "ines@glow.test", is_waiting: false },
    ],
  });
  const { user } = renderScreen(<ColleaguesPart />);
  await screen.findByText("ada@glow.test");
  await user.click(screen.getByRole("button", { name: "Invite a colleague" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Invite a colleague" }));
  const type = async (name: string, email: string) => {
    await user.type(dialog.getByRole("textbox", { name: /^Name/ }), name);
    await user.type(dialog.getByRole("textbox", { name: /^Email/ }), email);
    await user.click(dialog.getByRole("button", { name: "Ask for approval" }));
  };
  return { user, lists, dialog, type };
}

it("asks for a colleague, and shows who waits", async () => {
  const calls = answer("post", "/account/colleagues", { success: 1 });
  const { lists, type } = await open();
  expect(screen.getAllByText("Waiting for approval")).toHaveLength(1);
  await type(" Tom Berg ", "tom@glow.test");
  expect(await screen.findByText("Your request was sent.")).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ manager: "Tom Berg", email: "tom@glow.test" }]);
  await vi.waitFor(() => expect(lists).toHaveLength(2));
});

it("says at the field what is missing or refused, and why no more may wait", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const { dialog, type, user } = await open();
  await user.click(dialog.getByRole("button", { name: "Ask for approval" }));
  expect(dialog.getAllByText("This field is required.")).toHaveLength(2);
  const errors = { email: ["This email has already been subscribed."] };
  const known = { code: "invalid", message: "x", errors };
  refuse("post", "/account/colleagues", { status: 400, body: known });
  await type("Tom", "tom@glow.test");
  expect(await dialog.findByText("This email has already been subscribed.")).toBeVisible();
  const full = { code: "invalid", message: "Please wait for these first." };
  refuse("post", "/account/colleagues", { status: 400, body: full });
  await user.click(dialog.getByRole("button", { name: "Ask for approval" }));
  expect(await dialog.findByText("Please wait for these first.")).toBeVisible();
});
