const tenths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** `1.8 MB`, `340 KB`: the size of a file (bytes), never shown as nothing. */
export function fileSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024
    ? `${Math.max(1, Math.round(kilobytes))} KB`
    : `${tenths.format(kilobytes / 1024)} MB`;
}
