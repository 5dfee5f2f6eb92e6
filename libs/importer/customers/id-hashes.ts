import { createHash } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { ImportFailed } from '../command/outcome.js';

const BYTES = 8;
/** Number of new hashes after which they are merged into the sorted ones. */
const MERGED_AT = 65_536;

/** The first eight bytes of the SHA-256. Among ten million ids, the probability of a collision is 1 in 370,000. */
export function idHash(id: string): bigint {
  return createHash('sha256').update(id).digest().readBigUInt64BE();
}

/** A set of ids in eight bytes each, with the file that stores it between runs. */
export class IdHashes {
  private sorted = new BigUint64Array(0);
  private recent = new Set<bigint>();
  private unsaved: bigint[] = [];

  constructor(
    /** Null stores nothing. */
    private readonly file: string | null,
  ) {}

  get size(): number {
    return this.sorted.length + this.recent.size;
  }

  has(id: string): boolean {
    const hash = idHash(id);
    return this.recent.has(hash) || this.isSorted(hash);
  }

  /** Returns whether the id is new. */
  add(id: string): boolean {
    const hash = idHash(id);
    if (this.recent.has(hash) || this.isSorted(hash)) return false;
    this.recent.add(hash);
    if (this.file !== null) this.unsaved.push(hash);
    if (this.recent.size >= MERGED_AT) this.merge();
    return true;
  }

  /** Reads what an earlier run of the pass saved. */
  async load(): Promise<void> {
    if (this.file === null) return;
    let bytes: Buffer;
    try {
      bytes = await readFile(this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw new ImportFailed(`The file ${this.file} cannot be read: ${(error as Error).message}`);
    }
    // A run that was killed may have left a partial hash at the end.
    const hashes = new BigUint64Array(Math.floor(bytes.length / BYTES));
    for (let index = 0; index < hashes.length; index += 1)
      hashes[index] = bytes.readBigUInt64BE(index * BYTES);
    this.sorted = hashes.sort();
  }

  /** Appends new hashes to the file. An id missing from the file is only read once more. */
  async save(): Promise<void> {
    if (this.file === null || this.unsaved.length === 0) return;
    const bytes = Buffer.alloc(this.unsaved.length * BYTES);
    this.unsaved.sort((a, b) => (a < b ? -1 : 1));
    this.unsaved.forEach((hash, index) => bytes.writeBigUInt64BE(hash, index * BYTES));
    try {
      await appendFile(this.file, bytes, { mode: 0o600 });
    } catch (error) {
      throw new ImportFailed(`The file ${this.file} cannot be written: ${(error as Error).message}`);
    }
    this.unsaved = [];
  }

  async clear(): Promise<void> {
    this.sorted = new BigUint64Array(0);
    this.recent = new Set();
    this.unsaved = [];
    if (this.file !== null) await rm(this.file, { force: true });
  }

  private isSorted(hash: bigint): boolean {
    let low = 0;
    let high = this.sorted.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const value = this.sorted[middle] as bigint;
      if (value === hash) return true;
      if (value < hash) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  private merge(): void {
    const all = new BigUint64Array(this.size);
    all.set(this.sorted);
    all.set([...this.recent], this.sorted.length);
    this.sorted = all.sort();
    this.recent = new Set();
  }
}
