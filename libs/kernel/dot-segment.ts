/** As the WHATWG URL standard has them: percent-encoded dots count, in either case. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Whether URL libraries would fold the text away as a path segment, encoded or not: `DELETE /customers/..` would reach
 * what is above the customers. No id or key that clients choose may be one.
 */
export function isDotSegment(text: string): boolean {
  return DOT_SEGMENT.test(text);
}
