/**
 * A document's name without the order's own code, which stands right below it: `Proforma_Invoice_MHW-1.pdf` reads
 * "Proforma Invoice PDF".
 */
export function documentLabel(name: string, invoiceCode: string): string {
  const [stem = "", form] = name.split(`_${invoiceCode}.`);
  if (form) return `${stem.replaceAll("_", " ")} ${form.toUpperCase()}`;
  return name.replace(invoiceCode, "").trim() || name;
}
