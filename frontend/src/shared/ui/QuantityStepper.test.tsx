import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { QuantityStepper } from "./QuantityStepper";
import ToastHost from "./ToastHost";

function Basket() {
  const [quantities, setQuantities] = useState({ Cream: 20, Toner: 10 });
  return (
    <div data-quantities>
      {(["Cream", "Toner"] as const).map((product) => (
        <QuantityStepper
          key={product}
          product={product}
          value={quantities[product]}
          min={10}
          step={10}
          onStore={(quantity) => setQuantities({ ...quantities, [product]: quantity })}
        />
      ))}
      <output>{JSON.stringify(quantities)}</output>
    </div>
  );
}

function setup() {
  render(<Basket />);
  return {
    user: userEvent.setup(),
    cream: screen.getByRole("spinbutton", { name: "Quantity, Cream" }),
    toner: screen.getByRole("spinbutton", { name: "Quantity, Toner" }),
    stored: () => JSON.parse(screen.getByRole("status").textContent ?? ""),
  };
}

it("steps by the buttons and the arrow keys, never below the minimum", async () => {
  const { user, cream, stored } = setup();
  await user.click(screen.getByRole("button", { name: "More of Cream" }));
  expect(stored().Cream).toBe(30);
  await user.click(cream);
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(stored().Cream).toBe(10);
  expect(screen.getByRole("button", { name: "Less of Cream" })).toBeDisabled();
});

it("stores what was typed on leaving, without snapping it to the step", async () => {
  const { user, cream, stored } = setup();
  await user.click(cream);
  await user.keyboard("7");
  expect(stored().Cream).toBe(20);
  await user.tab();
  expect(stored().Cream).toBe(7);
  expect(cream).toHaveValue(7);
});

it("keeps the quantity when the field is left empty", async () => {
  const { user, cream, stored } = setup();
  await user.clear(cream);
  await user.tab();
  expect(stored().Cream).toBe(20);
  expect(cream).toHaveValue(20);
});

it("goes to the next quantity on Enter and back on Shift+Enter", async () => {
  const { user, cream, toner, stored } = setup();
  await user.click(cream);
  await user.keyboard("50{Enter}");
  expect(stored().Cream).toBe(50);
  expect(toner).toHaveFocus();
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(cream).toHaveFocus();
});

it.each([
  { typed: "2000000", stored: 1_000_000, said: "A line has at most 1,000,000 pieces." },
  { typed: "0", stored: 1, said: "Enter at least 1 piece." },
  { typed: "1e3", stored: undefined, said: "“1e3” is not a number of pieces." },
  { typed: "-20", stored: undefined, said: "“-20” is not a number of pieces." },
  { typed: "12.5", stored: undefined, said: "“12.5” is not a number of pieces." },
])("says what a line can have instead of $typed", async ({ typed, stored, said }) => {
  const store = vi.fn();
  render(
    <>
      <QuantityStepper product="Cream" value={20} min={10} step={10} onStore={store} />
      <ToastHost />
    </>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole("spinbutton"));
  await user.keyboard(`${typed}{Enter}`);
  expect(store.mock.calls).toEqual(stored === undefined ? [] : [[stored]]);
  expect(screen.getByRole("spinbutton")).toHaveValue(20);
  expect(await screen.findByText(said)).toBeVisible();
});
