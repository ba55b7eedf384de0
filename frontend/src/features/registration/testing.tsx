/** Set-up of the registration form's tests. */
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { Route, Routes } from "react-router";
import { expect } from "vitest";
import { renderApp } from "@/test/render";
import { policyText } from "@/test/seller";
import { answer, server } from "@/test/server";
import RegistrationScreen from "./RegistrationScreen";
import type { FilledIn } from "./use-registration";

export const TOKEN = "t0ken";
export const WRONG = "Something went wrong. Please contact the administrator.";

/** A registration as staff sent it back. */
export const FILLED_IN: FilledIn = {
  company: "Glow Trading",
  manager: "Ines Brandt",
  phone: "+48 22 555 01 74",
  country: 1,
  state: 11,
  city: "Warszawa",
  address1: "ul. Lipowa 51",
  address2: "lok. 14",
  zipcode: "00-682",
  ship_country: 2,
  ship_state: 21,
  ship_city: "Valparaíso",
  ship_address1: "Calle Serena 4",
  ship_address2: "",
  ship_zipcode: "2340000",
  ship_phone: "+56 32 255 0174",
  business_type: 2,
  sales_channel: "Own shops",
  certificate_files: "",
  certificate_name: "",
};

/** Opens the form of a good link; with `registration` that of a link which asks for more. */
export async function openForm(
  registration: Partial<FilledIn> | null = null,
  message = "",
): Promise<ReturnType<typeof render>> {
  answerForm(registration, message);
  answer("get", "/policy", policyText({ number: 3 }));
  answer("post", "/register/find-state", ({ body }) => ({
    success: 1,
    stateList: STATES[(body as { address_id: number }).address_id] ?? [],
  }));
  const rendered = render();
  await screen.findByRole("button", { name: "Submit" });
  return rendered;
}

const STATES: Record<number, { address_id: number; content: string }[]> = {
  1: [{ address_id: 11, content: "Mazowieckie" }],
  2: [{ address_id: 21, content: "Valparaíso Region" }],
};

function answerForm(registration: Partial<FilledIn> | null, message: string) {
  return answer("get", "/register/init-info/{token}", {
    success: 1,
    email: "ines@glow.test",
    country: [
      { address_id: 2, content: "Chile" },
      { address_id: 3, content: "Monaco" },
      { address_id: 1, content: "Poland" },
    ],
    businessType: [
      { type_id: 1, type: "Distributor" },
      { type_id: 2, type: "Retailer" },
    ],
    registration: registration && { ...FILLED_IN, ...registration },
    message,
  });
}

export function render() {
  return renderApp(
    <Routes>
      <Route path="/register/:token" element={<RegistrationScreen />} />
      <Route path="*" element={null} />
    </Routes>,
    { at: `/register/${TOKEN}` },
  );
}

/** A field by its label, with or without the mark of a required one. */
export const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}\\*?$`));
/** A field of one of the two addresses. */
export const of = (card: "Company address" | "Shipping address", name: string) =>
  within(screen.getByRole("region", { name: card })).getByRole(
    name === "Country" || name === "State" ? "combobox" : "textbox",
    { name },
  );
export const terms = () => screen.getByRole("checkbox", { name: /^I agree/ });

/** Fills a field at once, as a browser's own filling does: for forms whose typing is not the matter. */
export async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field);
  await user.paste(text);
}

export async function fillPasswords(user: UserEvent, password = "secret-1", repeated = password) {
  await user.type(field("Password"), password);
  await user.type(field("Confirm Password"), repeated);
}

export async function acceptTerms(user: UserEvent) {
  await user.click(terms());
  const dialog = within(await screen.findByRole("dialog"));
  const confirm = dialog.getByRole("button", { name: "Confirm" });
  await waitFor(() => expect(confirm).toBeEnabled());
  await user.click(confirm);
}

export const submit = (user: UserEvent) =>
  user.click(screen.getByRole("button", { name: "Submit" }));

/** Answers /fileupload, which takes a form and not JSON; returns what was sent. */
export function answerUpload(respond: () => { status: number; body: object } | Promise<never>) {
  const sent: FormData[] = [];
  server.use(
    http.post(`${window.location.origin}/api/fileupload`, async ({ request }) => {
      sent.push(await request.formData());
      const { status, body } = await respond();
      return HttpResponse.json(body as JsonBodyType, { status });
    }),
  );
  return sent;
}

export const certificate = (name = "registration.pdf", bytes = 2048) =>
  new File([new Uint8Array(bytes)], name, { type: "application/pdf" });
