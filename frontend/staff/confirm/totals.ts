/** The confirmation sheet's figures while it is filled in: whole cents, pieces, grams. The server counts again. */
import { type Cents, sum, times } from "@/domain/figures";

export interface OrderedLine {
  ordered: number;
  confirmed: number;
  price: Cents;
  /** Grams of one piece. */
  weight: number;
}

export interface AddedLine {
  pieces: number;
  price: Cents;
  weight: number;
  isGiven: boolean;
}

/** What the order had before the sheet. */
export interface Before {
  total: Cents;
  received: Cents;
}

/** Return every total that the sheet shows. */
export function totals(ordered: OrderedLine[], added: AddedLine[], fee: Cents, before: Before) {
  const confirmed = sum([
    ...ordered.map((line) => times(line.price, line.confirmed)),
    ...added.map((line) => times(line.price, line.pieces)),
  ]);
  const final = sum([confirmed, fee]);
  const inFull = ordered.filter((line) => line.confirmed >= line.ordered).length;
  const none = ordered.filter((line) => !line.confirmed && line.ordered).length;
  return {
    confirmed,
    final,
    notConfirmed: confirmed - before.total,
    balance: final - before.received,
    weight: total([
      ...ordered.map((line) => line.weight * line.confirmed),
      ...added.map((line) => line.weight * line.pieces),
    ]),
    back: total(ordered.map((line) => Math.max(0, line.ordered - line.confirmed))),
    inFull,
    inPart: ordered.length - inFull - none,
    none,
    added: added.filter((line) => line.isGiven).length,
  };
}

const total = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);
