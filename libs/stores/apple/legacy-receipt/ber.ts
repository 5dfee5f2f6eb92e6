import { NotGenuine } from '../not-genuine.js';

const MAX_DEPTH = 32;
/** Enough for the largest receipts. */
const MAX_NODES = 200_000;

/** The bytes are not BER, or have too many levels or values for a receipt. */
export class BerError extends NotGenuine {
  constructor(reason: string) {
    super(`The token is not an app receipt: ${reason}.`);
  }
}

export interface BerNode {
  tag: number;
  /** Offset of the tag. */
  from: number;
  /** Offset of the content. */
  start: number;
  end: number;
  /** Offset of the next value. */
  next: number;
  /** Empty for primitive values. */
  children: BerNode[];
}

const OCTET_STRING = 0x04;
const CONSTRUCTED = 0x20;
const END_OF_CONTENTS = 0x00;
const INDEFINITE = 0x80;

/**
 * Reads BER in one pass and linear time. Accepts any lengths, but only one-byte tags, which is all that receipts use.
 */
export class BerReader {
  private nodes = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly maxNodes = MAX_NODES,
  ) {}

  /** Reads the single value that spans all bytes. @throws BerError */
  read(): BerNode {
    const node = this.node(0, this.bytes.length, 0);
    if (node.next !== this.bytes.length) throw new BerError('more bytes follow');
    return node;
  }

  /** Returns the bytes including tag and length. */
  encoded({ from, next }: BerNode): Buffer {
    return this.bytes.subarray(from, next);
  }

  /** Returns the content of an OCTET STRING, which may consist of several pieces. */
  octets({ tag, start, end, children }: BerNode): Buffer {
    if ((tag & ~CONSTRUCTED) !== OCTET_STRING) throw new BerError('a value is not an octet string');
    if ((tag & CONSTRUCTED) === 0) return this.bytes.subarray(start, end);
    return Buffer.concat(children.map((child) => this.octets(child)));
  }

  private node(at: number, limit: number, depth: number): BerNode {
    if (depth > MAX_DEPTH || ++this.nodes > this.maxNodes)
      throw new BerError('too many or too deeply nested values');
    const tag = this.byte(at, limit);
    if ((tag & 0x1f) === 0x1f) throw new BerError('a long tag');
    const { length, start } = this.length(at + 1, limit);
    if (length === null) {
      if ((tag & CONSTRUCTED) === 0) throw new BerError('a primitive value without length');
      return this.indefinite(at, tag, start, limit, depth);
    }
    const end = start + length;
    if (end > limit) throw new BerError('a value is longer than its parent');
    const children: BerNode[] = [];
    for (let next = start; (tag & CONSTRUCTED) !== 0 && next < end;) {
      const child = this.node(next, end, depth + 1);
      children.push(child);
      next = child.next;
    }
    return { tag, from: at, start, end, next: end, children };
  }

  private indefinite(from: number, tag: number, start: number, limit: number, depth: number): BerNode {
    const children: BerNode[] = [];
    for (let next = start; ;) {
      const child = this.node(next, limit, depth + 1);
      if (child.tag === END_OF_CONTENTS) return { tag, from, start, end: next, next: child.next, children };
      children.push(child);
      next = child.next;
    }
  }

  /** A null length means that an end marker closes the content. */
  private length(at: number, limit: number): { length: number | null; start: number } {
    const first = this.byte(at, limit);
    if (first === INDEFINITE) return { length: null, start: at + 1 };
    if (first < 0x80) return { length: first, start: at + 1 };
    const count = first & 0x7f;
    if (count > 4) throw new BerError('a length of more than four bytes');
    let length = 0;
    for (let index = 1; index <= count; index++) length = length * 256 + this.byte(at + index, limit);
    return { length, start: at + 1 + count };
  }

  private byte(at: number, limit: number): number {
    const byte = at < limit ? this.bytes[at] : undefined;
    if (byte === undefined) throw new BerError('it ends too early');
    return byte;
  }
}
