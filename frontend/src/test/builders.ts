import type { Schemas } from "@/api/client";
import type { User } from "@/api/session";
import { BANK } from "./seller";

/** Where a buyer's orders go. */
export const SHIP = {
  ...{ ship_country: 1, ship_state: 11, ship_zipcode: "00-682" },
  ship_city: "Warszawa",
  ship_address1: "ul. Lipowa 51",
  ship_address2: "lok. 14",
  ship_phone: "+48 22 555 01 74",
};

/** A buyer; name only the fields that the test is about. */
export function user(fields: Partial<User> = {}): User {
  return {
    uuid: "5f0c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11",
    company_id: 7,
    company: "Brightwater Trading Co.",
    manager: "Ines Brandt",
    email: "orders@brightwater-trading.example",
    stock_free: 0,
    minimum_order: 0,
    ...SHIP,
    ...fields,
  };
}

type Order = Schemas["OrderDetails"]["order"];

/** An order in the list, at status 2 unless said otherwise. */
export function orderInList(
  invoice_code: string,
  fields: Partial<Schemas["OrderListItem"]> = {},
): Schemas["OrderListItem"] {
  return {
    order_id: Number(invoice_code.replace(/\D/g, "")),
    invoice_code,
    message: "Preparing",
    status_id: 2,
    build_date: "2026-11-12",
    amount: 2711,
    pieces: 120,
    po_number: "",
    payment: "Deposit received",
    payment_tone: "ok",
    answers: "",
    ...fields,
  };
}

/** The configuration that a signed-in buyer gets. */
export function configuration(
  fields: Partial<Schemas["Configuration"]> = {},
): Schemas["Configuration"] {
  return {
    title: "Maren & Holt",
    subtitle: "",
    accent: "#337ab7",
    logo: "",
    sales_email: "sales@marenholt.example",
    image_host: "/media/products",
    banks: [BANK],
    paypal_fee_rate: 0.035,
    deposit_rate: 1,
    notes: { declaration: "", responsibility: "", shipping: "" },
    checklist: { title: "Checklist", points: ["A confirmed order cannot be modified."] },
    shipper: { name: "", address: "", second_address: "", phone: "", tax_number: "" },
    ...fields,
  };
}

/** What the server allows a buyer at status 2. */
const ALLOWED: Order["allowed"] = {
  edit_address: true,
  edit_ship_memo: true,
  message: true,
  documents: false,
  packing_list: false,
  tracking: false,
  checkout: false,
  edit_po_number: true,
  ...{ withdraw: false, ask_to_cancel: false },
};

/** Something that was said on an order, by the caller unless said otherwise. */
export function said(
  text: string,
  fields: Partial<Schemas["ConversationMessage"]> = {},
): Schemas["ConversationMessage"] {
  const at = "2026-11-20T08:12:00+00:00";
  return { message_id: 1, kind: "message", at, name: "Ines Brandt", is_own: true, text, ...fields };
}

/** All about an order at status 2 with one line; name only what the test is about. */
export function orderDetails(
  { allowed, ...fields }: Partial<Omit<Order, "allowed">> & { allowed?: Partial<Order["allowed"]> },
  rest: Partial<Omit<Schemas["OrderDetails"], "order">> = {},
): Schemas["OrderDetails"] {
  const { ship_country, ship_state, ship_city, ship_zipcode, ship_address1, ship_address2 } =
    user();
  return {
    success: 1,
    order: {
      order_id: 1,
      invoice_code: "MHW-1",
      build_date: "2026-11-12",
      message: "Preparing",
      status_id: 2,
      type: "ORDER",
      memo: "",
      ...{ count: 1, pieces: 10 },
      total: 2711,
      real_total: 2711,
      deposit: 2711,
      deposit_received: 2711,
      paid: 0,
      ...{ credited: 0, waived: 0 },
      balance_due: 0,
      shipping_fee: 0,
      weight: null,
      weight_kg: null,
      products_weight_kg: 30.5,
      packing_status: 0,
      packing_list_pdf: null,
      ...{ carrier: "", expected_on: null, tracking_number: null, shipping_url: null },
      customer_memo: "",
      ship_memo: "",
      export_report: 1,
      payment_type: "T/T",
      po_number: "",
      former_number: "",
      po_file: null,
      sheet: null,
      payment_pending: false,
      email: "orders@brightwater-trading.example",
      company: "Brightwater Trading Co.",
      tax_number: "",
      country: "Poland",
      state: "Mazowieckie",
      ...{ ship_country, ship_state, ship_city, ship_zipcode, ship_address1, ship_address2 },
      ship_phone: "+48 22 555 01 74",
      packing_build_date: null,
      ...{ packing_remarks: "", packing_notify: "", packing_terms: "" },
      history: [],
      answers_needed: 0,
      payment: "Deposit received",
      payment_tone: "ok",
      next_step: {
        kind: "wait",
        tone: "ok",
        title: "Deposit received on 12 Nov 2026",
        text: "We confirm your lines by Tue 17 Nov.",
        amount: null,
        rows: [],
      },
      timeline: [
        { message: "Received", at: "2026-11-12", note: "", tone: "mute" },
        { message: "Preparing", at: "2026-11-13", note: "Promised, kept", tone: "ok" },
        { message: "Confirmed", at: null, note: "Promised for Tue 17 Nov", tone: "mute" },
      ],
      ...fields,
      allowed: { ...ALLOWED, ...allowed },
    },
    details: [orderLine()],
    total_weight: 30500,
    fileList: [],
    box: [],
    boxProduct: [],
    packint_qty_total: 0,
    packint_weight_total: 0,
    packint_cbm_total: null,
    ...rest,
  };
}

/** A confirmed line of an order. */
export function orderLine(fields: Partial<Schemas["OrderDetail"]> = {}): Schemas["OrderDetail"] {
  return {
    order_product_id: 1,
    eng_name: "Barrier Bloom Ceramide Cream 50 ml",
    image: "aur-bc050.jpg",
    images: ["aur-bc050.jpg"],
    price: 34,
    box_qty: 10,
    sku: "AUR-BC050",
    ean: null,
    count: 60,
    order_price: 918,
    is_true: 1,
    comment: "",
    weight: 120,
    proposal: null,
    decided: "",
    tag: "Confirmed",
    ...fields,
  };
}
