/** How Roku writes a date in JSON. */
export function rokuDate(atMs: number): string {
  return `/Date(${atMs}+0000)/`;
}
