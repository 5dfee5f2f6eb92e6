/** Whether a text has `min` to `max` characters (Unicode code points). Texts that are far too long are not counted. */
export function hasLength(text: string, min: number, max: number): boolean {
  // A character is one or two UTF-16 code units.
  if (text.length > 2 * max) return false;
  const { length } = [...text];
  return length >= min && length <= max;
}
