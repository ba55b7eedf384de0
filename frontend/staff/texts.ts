/** Texts of the staff's scripts: English is the key; a Korean page loads pages/korean.ts before all else. */

let catalogue: Readonly<Record<string, string>> = {};

/** Take the texts of the page's language. */
export function speak(texts: Readonly<Record<string, string>>): void {
  catalogue = texts;
}

/** Return a text in the language of the page, with its values. */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (catalogue[text] ?? text).replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );
}
