/** As in the WHATWG URL standard: percent-encoded dots count too. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Whether URL libraries would resolve the text as a dot segment: `DELETE /customers/..` would reach the parent path.
 * No id or key that clients choose may be one.
 */
export function isDotSegment(text: string): boolean {
  return DOT_SEGMENT.test(text);
}
