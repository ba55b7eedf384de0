import { act, screen, waitFor } from "@testing-library/react";
import { useNavigate } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import Shortcuts from "./Shortcuts";
import "./ShortcutsDialog";
import { shortcutList, singleKeys } from "./single-keys";

beforeEach(() => {
  singleKeys.turn(true);
  HTMLElement.prototype.checkVisibility ??= () => true;
});

function Listening() {
  return <Shortcuts onGo={useNavigate()} />;
}

function open(order = vi.fn()) {
  return renderScreen(
    <>
      <Listening />
      <input aria-label="Search" data-shortcut="s" />
      <ul>
        <li data-problem>
          <button type="button">First</button>
        </li>
        <li data-problem>
          <button type="button">Second</button>
        </li>
      </ul>
      <button type="button" data-shortcut="order" onClick={order}>
        Order
      </button>
    </>,
    { at: "/dashboard" },
  );
}

it("leads to a field, the problems in turn, and the pages; the order is sent by Ctrl+Enter", async () => {
  const order = vi.fn();
  const { user, where } = open(order);
  await user.keyboard("n");
  expect(screen.getByText("First")).toHaveFocus();
  await user.keyboard("n");
  expect(screen.getByText("Second")).toHaveFocus();
  await user.keyboard("n");
  expect(screen.getByText("First")).toHaveFocus();
  await user.keyboard("p");
  expect(screen.getByText("Second")).toHaveFocus();
  await user.keyboard("go");
  expect(where()).toBe("/order");
  await user.keyboard("s");
  expect(screen.getByLabelText("Search")).toHaveFocus();
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(order).toHaveBeenCalledOnce();
});

it("does nothing while something is typed", async () => {
  const { user, where } = open();
  await user.type(screen.getByLabelText("Search"), "go n?s");
  expect(screen.getByLabelText("Search")).toHaveValue("go n?s");
  expect(screen.getByLabelText("Search")).toHaveFocus();
  expect(where()).toBe("/dashboard");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("lists them at ?, where single keys are switched off and stay so", async () => {
  const { user, where } = open();
  await user.keyboard("?");
  const box = await screen.findByRole("checkbox", { name: "Single-key shortcuts" });
  await user.click(box);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  screen.getByText("First").focus();
  await user.keyboard("?go");
  expect(where()).toBe("/dashboard");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(singleKeys.areOn()).toBe(false);
});

it("leads from a quantity to the next problem, and is listed by the account menu with single keys off", async () => {
  const { user } = renderScreen(
    <>
      <Listening />
      <ul>
        <li data-problem>
          <input type="number" data-quantity aria-label="First" />
        </li>
        <li data-problem>
          <input type="number" data-quantity aria-label="Second" />
        </li>
      </ul>
    </>,
  );
  await user.keyboard("nn");
  expect(screen.getByLabelText("Second")).toHaveFocus();
  await user.keyboard("p");
  expect(screen.getByLabelText("First")).toHaveFocus();
  singleKeys.turn(false);
  act(shortcutList.show);
  expect(await screen.findByRole("dialog", { name: "Shortcuts" })).toBeVisible();
});
