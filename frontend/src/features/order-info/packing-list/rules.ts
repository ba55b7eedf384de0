import { count } from "@/domain/figures";
import type { Order, OrderDetails } from "../queries";

const thousandths = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
});

/** Grams as kilograms, to the gram, so that a column adds up: `1,014.235`. */
export const kilograms = (grams: number): string => thousandths.format(grams / 1000);

/** Cubic metres to the litre: `0.212`; a dash where they are not known. */
export function cubicMetres(cbm: number | null): string {
  return cbm === null ? "–" : thousandths.format(cbm);
}

/** Boxes alike, with what is in them. */
export type BoxRows = ReturnType<typeof boxRows>[number];
/** A figure of all the boxes of a row; `each` says what one of them has, where there are several. */
export type Figure = BoxRows["weight"];

/** The boxes in their order, numbered through; a row's figures are those of all its boxes, as on the PDF. */
export function boxRows({ box, boxProduct }: OrderDetails) {
  let last = 0;
  return box.map((boxes) => {
    const first = last + 1;
    last += boxes.count;
    const figure = (one: number, format: (all: number) => string) => ({
      value: format(boxes.count * one),
      each: boxes.count > 1 ? `${boxes.count} × ${format(one)}` : "",
    });
    return {
      id: boxes.box_id,
      label: first === last ? `No. ${first}` : `No. ${first}–${last}`,
      goods: boxProduct
        .filter(({ box_id }) => box_id === boxes.box_id)
        .map(({ packing_id, eng_name, qty }) => ({
          id: packing_id,
          name: eng_name,
          pieces: figure(qty, count),
        })),
      weight: figure(boxes.weight, kilograms),
      size: [boxes.length, boxes.width, boxes.height].join(" × "),
      cbm: cubicMetres(boxes.cbm),
    };
  });
}

export function boxCount({ box }: OrderDetails): number {
  return box.reduce((sum, boxes) => sum + boxes.count, 0);
}

/** The line of a tax or EORI number, empty where there is none. */
export const taxLine = (number: string): string => number && `Tax/EORI number ${number}`;

/** Whom the goods are for and where they go: a line each, empty where it is not known. */
export function consignee(order: Order): string[] {
  const town = [order.ship_zipcode, order.ship_city].filter(Boolean).join(" ");
  const place = [town, order.state, order.country].filter(Boolean).join(", ");
  const { company, ship_address1, ship_address2, ship_phone, tax_number } = order;
  return [company, ship_address1, ship_address2, place, ship_phone, taxLine(tax_number)];
}
