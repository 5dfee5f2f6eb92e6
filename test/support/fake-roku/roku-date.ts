/** Formats a date as Roku writes it in JSON. */
export function rokuDate(atMs: number): string {
  return `/Date(${atMs}+0000)/`;
}
