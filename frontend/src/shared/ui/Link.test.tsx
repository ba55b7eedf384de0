import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { onPrefetch } from "@/shared/navigation";
import { renderApp } from "@/test/render";
import { Link } from "./Link";

it("goes to the screen without a new page, and leaves other clicks to the browser", async () => {
  const { user, where } = renderApp(<Link to="/order?brand=2">Order</Link>);
  const link = screen.getByRole("link", { name: "Order" });
  expect(link).toHaveAttribute("href", "/order?brand=2");
  let left = false;
  const browser = (event: Event) => {
    left = !event.defaultPrevented;
    event.preventDefault();
  };
  document.addEventListener("click", browser, { once: true });
  fireEvent.click(link, { ctrlKey: true });
  expect(left).toBe(true);
  expect(where()).toBe("/");
  await user.click(link);
  expect(where()).toBe("/order?brand=2");
});

it("says where the visitor is about to go", async () => {
  const intended = vi.fn();
  onPrefetch(intended);
  const { user } = renderApp(<Link to="/order">Order</Link>);
  await user.hover(screen.getByRole("link"));
  expect(intended).toHaveBeenLastCalledWith("/order");
  intended.mockClear();
  await user.tab();
  expect(intended).toHaveBeenCalledExactlyOnceWith("/order");
});
