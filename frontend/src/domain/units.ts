const whole = new Intl.NumberFormat("en-US");
const tenths = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `1,234`: counts of pieces and products. */
export function count(value: number): string {
  return whole.format(value);
}

/** `6 products`, `1 product`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `30.5 kg`, for kilograms that the server has already rounded up to a tenth. */
export function kilograms(value: number): string {
  return `${tenths.format(value)} kg`;
}
