import { expect, it } from "vitest";
import { rememberedPage, rememberPage } from "./navigation";

it("keeps the query of the page", () => {
  const location = { pathname: "/invoice/2", search: "?invoice_code=A-1" };
  expect(rememberedPage(rememberPage(location))).toBe("/invoice/2?invoice_code=A-1");
});

it.each([
  null,
  undefined,
  {},
  { page: 1 },
  { page: "" },
  { page: "order" },
  { page: "//evil.test" },
  { page: "/\\evil.test" },
  { page: "https://evil.test" },
])("goes to the dashboard for %j", (state) => {
  expect(rememberedPage(state)).toBe("/dashboard");
});
