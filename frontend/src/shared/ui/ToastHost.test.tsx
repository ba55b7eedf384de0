import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ToastHost from "./ToastHost";
import { toast, toastAfter } from "./toasts";

afterEach(() => {
  vi.useRealTimers();
});

it("keeps an Undo for 10 s, and longer while it has the focus", () => {
  vi.useFakeTimers();
  render(<ToastHost />);
  act(() => toast("Basket emptied.", () => undefined));
  act(() => vi.advanceTimersByTime(9_900));
  const undo = screen.getByRole("button", { name: "Undo" });
  act(() => undo.focus());
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("status")).toHaveTextContent("Basket emptied.");
  act(() => undo.blur());
  act(() => vi.advanceTimersByTime(10_000));
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});

it("shows what happens by itself after an Undo, which it takes from nobody", () => {
  vi.useFakeTimers();
  render(<ToastHost />);
  act(() => toast("Basket emptied.", () => undefined));
  act(() => toastAfter("Sent."));
  expect(screen.getByRole("status")).toHaveTextContent("Basket emptied.");
  act(() => vi.advanceTimersByTime(10_000));
  expect(screen.getByRole("status")).toHaveTextContent("Sent.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it("lets a plain note go after 4 s, and Ctrl+Z does nothing to it", () => {
  vi.useFakeTimers();
  render(<ToastHost />);
  act(() => toast("Price_List.xlsx downloaded"));
  expect(fireEvent.keyDown(window, { key: "z", ctrlKey: true })).toBe(true);
  expect(screen.getByText("Price_List.xlsx downloaded")).toBeVisible();
  act(() => vi.advanceTimersByTime(4_000));
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
