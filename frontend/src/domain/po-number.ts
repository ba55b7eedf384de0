/** The buyer's own number of an order as the screens write it: `PO 4500118`; "PO" once, where the number says it itself. */
export function poLabel(number: string): string {
  return /^po(?![a-z])/i.test(number) ? number : `PO ${number}`;
}
