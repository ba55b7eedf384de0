import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ZoomPicture } from "./ZoomPicture";

it("enlarges a picture by a click or a key, and moves it by keys and finger", async () => {
  render(<ZoomPicture name="Gold Cream" image="a.jpg" />);
  const picture = screen.getByRole("button", { name: "Enlarge Gold Cream" });
  const point = () => (picture.firstElementChild as HTMLElement).style.transformOrigin;
  await userEvent.tab();
  await userEvent.keyboard("{ArrowRight}");
  expect(point()).toBe("50% 50%");
  await userEvent.keyboard("{Enter}");
  expect(picture).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("{ArrowRight}{ArrowDown}");
  expect(point()).toBe("65% 65%");
  picture.getBoundingClientRect = () => new DOMRect(0, 0, 200, 200);
  fireEvent.pointerMove(picture, { pointerType: "mouse", clientX: 20, clientY: 400 });
  expect(point()).toBe("10% 100%");
  await userEvent.click(picture);
  expect(picture).toHaveAttribute("aria-pressed", "false");
});

it("has nothing to enlarge where there is no picture", () => {
  render(<ZoomPicture name="Gold Cream" image="" />);
  expect(screen.queryByRole("button")).toBeNull();
});
