/** Deeper documents could overflow the stack of recursive code, such as canonicalization. */
const MAX_DEPTH = 100;
/** Elements, comments and CDATA sections. A response with a thousand groups has about 1,100. */
const MAX_TAGS = 5_000;
/** Parsers compare the names of all attributes of an element. */
const MAX_ATTRIBUTES = 10_000;
const MAX_ATTRIBUTES_OF_A_TAG = 100;
/** Parsers and canonicalization copy the namespaces in scope for each element. */
const MAX_NAMESPACES = 200;

const GREATER = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const NAMESPACE = 'xmlns';
const BLOCKS = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
];

/**
 * Returns why a document would be too expensive to parse, or null. Reads the text once, before any parser. Declarations
 * and processing instructions must have been rejected before.
 */
export function scanXml(text: string): string | null {
  if (countOf(text, NAMESPACE, MAX_NAMESPACES) > MAX_NAMESPACES) {
    return `The document has more than ${MAX_NAMESPACES} namespace declarations.`;
  }
  let depth = 0;
  let tags = 0;
  let attributes = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text[at + 1] === '/') {
      depth--;
      at += 2;
      continue;
    }
    if (++tags > MAX_TAGS) return `The document has more than ${MAX_TAGS} tags.`;
    if (text[at + 1] === '!') {
      const end = endOfBlock(text, at);
      if (end === -1) return 'The document is not well-formed.';
      at = end;
      continue;
    }
    const tag = tagAt(text, at + 1);
    attributes += tag.attributes;
    if (tag.attributes > MAX_ATTRIBUTES_OF_A_TAG || attributes > MAX_ATTRIBUTES) {
      return 'The document has too many attributes.';
    }
    if (tag.end === -1) return 'The document is not well-formed.';
    if (text[tag.end - 1] !== '/') depth++;
    if (depth > MAX_DEPTH) return 'The document is nested too deeply.';
    at = tag.end;
  }
  return null;
}

/** Stops counting beyond `max`. */
function countOf(text: string, part: string, max: number): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count <= max; at = text.indexOf(part, at + part.length))
    count++;
  return count;
}

/** Returns -1 unless a comment or CDATA section starts at `from` and is closed. */
function endOfBlock(text: string, from: number): number {
  const block = BLOCKS.find(({ start }) => text.startsWith(start, from));
  if (!block) return -1;
  const end = text.indexOf(block.end, from + block.start.length);
  return end === -1 ? -1 : end + block.end.length;
}

/** Finds the end of a start tag, ignoring `>` inside values; -1 if there is none. */
function tagAt(text: string, from: number): { end: number; attributes: number } {
  let attributes = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === GREATER) return { end: at, attributes };
    if (character !== QUOTE && character !== APOSTROPHE) continue;
    if (++attributes > MAX_ATTRIBUTES_OF_A_TAG) break;
    at = text.indexOf(text[at] as string, at + 1);
    if (at === -1) break;
  }
  return { end: -1, attributes };
}
