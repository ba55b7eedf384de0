import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import ImageViewer, { ZoomPicture } from "./ImageViewer";

const IMAGES = ["a.jpg", "b.1000.jpg", "c.jpg"];
const large = () =>
  screen.getByRole("button", { name: "Enlarge Gold Cream" }).querySelector("img")?.src;

it("shows the pictures in their order: by arrows, keys, the small ones and a finger", async () => {
  render(<ImageViewer open onClose={vi.fn()} name="Gold Cream" images={IMAGES} />);
  expect(large()).toMatch(/300\/a\.jpg$/);
  expect(screen.getByRole("button", { name: "Previous picture" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Next picture" }));
  expect(large()).toMatch(/b\.1000\.jpg$/);
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  expect(large()).toMatch(/c\.jpg$/);
  expect(screen.getByRole("button", { current: true })).toHaveAccessibleName("Picture 3 of 3");
  await userEvent.click(screen.getByRole("button", { name: "Picture 1 of 3" }));
  expect(large()).toMatch(/a\.jpg$/);
  const picture = screen.getByRole("button", { name: "Enlarge Gold Cream" });
  const finger = { pointerId: 7, pointerType: "touch", clientY: 100 };
  fireEvent.pointerDown(picture, { ...finger, clientX: 200 });
  fireEvent.pointerUp(picture, { ...finger, clientX: 120 });
  expect(large()).toMatch(/b\.1000\.jpg$/);
});

it("moves within what is enlarged, by keys and finger, and shows the larger picture", async () => {
  render(<ImageViewer open onClose={vi.fn()} name="Gold Cream" images={IMAGES} />);
  await userEvent.click(screen.getByRole("button", { name: "Enlarge Gold Cream" }));
  expect(large()).toMatch(/300\/a\.jpg$/); // of before: the largest was not made
  await userEvent.keyboard("{ArrowRight}");
  const picture = screen.getByRole("button", { name: "Enlarge Gold Cream" });
  fireEvent.pointerDown(picture, { pointerId: 7, pointerType: "touch", clientX: 200 });
  fireEvent.pointerUp(picture, { pointerId: 7, pointerType: "touch", clientX: 20 });
  expect(large()).toMatch(/a\.jpg$/);
  await userEvent.click(screen.getByRole("button", { name: "Picture 2 of 3" }));
  await userEvent.click(screen.getByRole("button", { name: "Enlarge Gold Cream" }));
  expect(large()).toMatch(/1000\/b\.1000\.jpg$/);
});

it("needs no way to others where there is one", () => {
  render(<ImageViewer open onClose={vi.fn()} name="Gold Cream" images={["a.jpg"]} />);
  expect(screen.queryByRole("list", { name: "Pictures" })).toBeNull();
});

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
