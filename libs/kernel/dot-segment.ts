/** As in the WHATWG URL standard, percent-encoded dots count too. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** Client-chosen ids and keys must not match: URL libraries would resolve `DELETE /customers/..` to the parent path. */
export function isDotSegment(text: string): boolean {
  return DOT_SEGMENT.test(text);
}
