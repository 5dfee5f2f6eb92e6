import { hash, randomBytes } from 'node:crypto';

/** Places of one set: a key may stand in any of them. */
const WAYS = 8;
const FIELDS = 4;
const MAX_AGE_MINUTES = 24 * 60;
const STAMP_BITS = 20;
const STAMP_MASK = 2 ** STAMP_BITS - 1;

/** Values are smaller. */
export const VALUE_LIMIT = 2 ** (32 - STAMP_BITS);

const stampOf = (nowMs: number): number => Math.floor(nowMs / 60_000) & STAMP_MASK;

interface Place {
  set: number;
  high: number;
  low: number;
}

/**
 * Small numbers by text, 16 bytes an entry however long the texts are, for a day. The oldest of a full set goes. A text
 * is known by 64 bits of a hash that no client can predict, so that no other text can be made that passes for it.
 */
export class KnownTable {
  private readonly secret = randomBytes(16).toString('base64');
  private readonly sets: number;
  /** Fingerprint (two fields), generation, and value with the minute of the entry. Made with the first entry. */
  private fields: Uint32Array | null = null;

  /** @param entries a power of two */
  constructor(private readonly entries = 2 ** 20) {
    this.sets = entries / WAYS;
  }

  /** Null unless it was set in this generation, less than a day ago. */
  get(key: string, generation: number, nowMs: number): number | null {
    const { fields } = this;
    if (fields === null) return null;
    const at = this.find(fields, this.placeOf(key));
    if (at === -1 || fields[at + 2] !== generation) return null;
    const word = fields[at + 3] as number;
    return ageOf(word, stampOf(nowMs)) < MAX_AGE_MINUTES ? word >>> STAMP_BITS : null;
  }

  /** @param generation from 1 */
  set(key: string, generation: number, value: number, nowMs: number): void {
    const fields = (this.fields ??= new Uint32Array(this.entries * FIELDS));
    const place = this.placeOf(key);
    const found = this.find(fields, place);
    const at = found === -1 ? this.oldest(fields, place.set, stampOf(nowMs)) : found;
    fields[at] = place.high;
    fields[at + 1] = place.low;
    fields[at + 2] = generation;
    fields[at + 3] = ((value << STAMP_BITS) | stampOf(nowMs)) >>> 0;
  }

  delete(key: string): void {
    if (this.fields === null) return;
    const at = this.find(this.fields, this.placeOf(key));
    if (at !== -1) this.fields.fill(0, at, at + FIELDS);
  }

  private placeOf(key: string): Place {
    const digest = hash('sha256', this.secret + key, 'buffer');
    return {
      high: digest.readUInt32LE(0),
      low: digest.readUInt32LE(4),
      set: (digest.readUInt32LE(8) % this.sets) * WAYS * FIELDS,
    };
  }

  private find(fields: Uint32Array, { set, high, low }: Place): number {
    for (let at = set; at < set + WAYS * FIELDS; at += FIELDS) {
      if (fields[at] === high && fields[at + 1] === low && fields[at + 2] !== 0) return at;
    }
    return -1;
  }

  private oldest(fields: Uint32Array, set: number, stamp: number): number {
    let [oldest, most] = [set, -1];
    for (let at = set; at < set + WAYS * FIELDS; at += FIELDS) {
      if (fields[at + 2] === 0) return at;
      const age = ageOf(fields[at + 3] as number, stamp);
      if (age > most) [oldest, most] = [at, age];
    }
    return oldest;
  }
}

/** Minutes; the minute of an entry is known but for whole rounds of two years. */
function ageOf(word: number, stamp: number): number {
  return (stamp - word) & STAMP_MASK;
}
