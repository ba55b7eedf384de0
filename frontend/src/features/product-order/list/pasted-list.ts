/** Columns; a SKU and its pieces; an EAN as it is printed, in groups, and its pieces. */
const LISTS = [
  /^[^\S\n]*\S[^\n\t]*\t[^\n]*\d/m,
  /^\s*(\S+(\s*[,;]\s*|\s+)|[^\s:=]{3,}\s*[:=]\s*)\d+\s*$/m,
  /^\s*(ean:?\s+)?(\d{13}|\d{4}[ -]\d{4}|\d[ -]\d{5,6}[ -]\d{5,6}([ -]\d)?)[\s:=]+\d+\s*$/im,
];

/** Whether a pasted text looks like SKUs beside quantities: nothing else that is pasted may open the review. */
export function looksLikeList(text: string): boolean {
  return LISTS.some((list) => list.test(text));
}

/** What a pasted text is called as a file. */
export const PASTED = "Pasted list.txt";

/** A pasted text as the file that the server takes. */
export function pastedFile(text: string): File {
  return new File([text], PASTED, { type: "text/plain" });
}
