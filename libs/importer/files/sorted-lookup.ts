import { rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { type Entry, readRun, writeRun } from './run-file.js';

/** Number of lines between two keys held in memory. */
const STRIDE = 32;

/** Finds entries of a sorted file by key, with one in 32 keys in memory. */
export class SortedLookup {
  private constructor(
    private readonly file: string,
    private readonly keys: string[],
    private readonly offsets: number[],
  ) {}

  /** Writes the entries, which must be sorted, to the file. */
  static async of(file: string, sorted: AsyncIterable<Entry>): Promise<SortedLookup> {
    await writeRun(file, sorted);
    const keys: string[] = [];
    const offsets: number[] = [];
    let count = 0;
    for await (const { line, offset } of linesWithOffsets(file)) {
      if (count++ % STRIDE !== 0) continue;
      keys.push((JSON.parse(line) as [string, string])[0]);
      offsets.push(offset);
    }
    return new SortedLookup(file, keys, offsets);
  }

  /** Returns all values of the key, in file order. */
  async values(key: string): Promise<string[]> {
    // The key's first entry may precede the first key in memory that equals it.
    const start = this.offsets[this.lastBefore(key)];
    const found: string[] = [];
    if (start === undefined) return found;
    for await (const entry of readRun(this.file, start)) {
      if (entry.key > key) break;
      if (entry.key === key) found.push(entry.value);
    }
    return found;
  }

  async close(): Promise<void> {
    await rm(this.file, { force: true });
  }

  private lastBefore(key: string): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

async function* linesWithOffsets(file: string): AsyncGenerator<{ line: string; offset: number }> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      yield { line: rest.toString('utf8', start, end), offset: offset + start };
      start = end + 1;
    }
    offset += start;
    rest = rest.subarray(start);
  }
}
