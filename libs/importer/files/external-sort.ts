import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Entry, readRun, writeRun } from './run-file.js';

export interface SortLimits {
  /** Characters held in memory before they are written to a file. */
  charactersInMemory?: number;
  /** Files merged at once. */
  runsAtOnce?: number;
  folder?: string;
}

/** Estimated memory for an entry in addition to its text. */
const ENTRY_OVERHEAD = 100;
const byKey = (a: Entry, b: Entry) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/**
 * Sorts entries by key, in files if they do not fit in memory. Entries with equal keys stay in insertion order. The
 * files contain customer data, so their folder is readable only by this user. `close` removes it.
 */
export class ExternalSort {
  private entries: Entry[] = [];
  private characters = 0;
  /** Files by how often their entries were merged. Oldest first, within a level and from the highest level down. */
  private readonly levels: string[][] = [];
  private folder: Promise<string> | null = null;
  private files = 0;

  constructor(private readonly limits: SortLimits = {}) {}

  async add(key: string, value: string): Promise<void> {
    this.entries.push({ key, value });
    this.characters += key.length + value.length + ENTRY_OVERHEAD;
    if (this.characters >= (this.limits.charactersInMemory ?? 8 * 1024 * 1024)) await this.spill();
  }

  async *sorted(): AsyncGenerator<Entry> {
    const inMemory = this.entries.sort(byKey);
    if (this.levels.length === 0) {
      yield* inMemory;
      return;
    }
    const files = this.levels.toReversed().flat();
    yield* merged([...files.map((file) => readRun(file)), inMemory.values()]);
  }

  /**
   * Combines the entries of each key into one value, one entry after another, so that they need not all be in memory.
   */
  async *folded<T>(begin: () => T, add: (state: T, value: string) => void): AsyncGenerator<[string, T]> {
    let current: [key: string, state: T] | undefined;
    for await (const { key, value } of this.sorted()) {
      if (current?.[0] !== key) {
        if (current) yield current;
        current = [key, begin()];
      }
      add(current[1], value);
    }
    if (current) yield current;
  }

  async close(): Promise<void> {
    this.entries = [];
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
  }

  private async spill(): Promise<void> {
    const file = await this.nextFile();
    await writeRun(file, this.entries.sort(byKey));
    this.entries = [];
    this.characters = 0;
    await this.keep(file, 0);
  }

  private async keep(file: string, level: number): Promise<void> {
    const files = (this.levels[level] ??= []);
    files.push(file);
    if (files.length < (this.limits.runsAtOnce ?? 64)) return;
    const larger = await this.nextFile();
    await writeRun(larger, merged(files.map((each) => readRun(each))));
    await Promise.all(files.map((each) => rm(each)));
    this.levels[level] = [];
    await this.keep(larger, level + 1);
  }

  private async nextFile(): Promise<string> {
    this.folder ??= mkdtemp(join(this.limits.folder ?? tmpdir(), 'tenure-import-'));
    return join(await this.folder, `${++this.files}.run`);
  }
}

type Source = AsyncIterator<Entry> | Iterator<Entry>;

/** Merges sorted sources. For equal keys, entries of the earlier source come first. */
async function* merged(sources: Source[]): AsyncGenerator<Entry> {
  const heads: { entry: Entry; source: Source }[] = [];
  try {
    for (const source of sources) {
      const first = await source.next();
      if (!first.done) heads.push({ entry: first.value, source });
    }
    while (heads.length > 0) {
      let least = 0;
      for (let index = 1; index < heads.length; index++) {
        if ((heads[index] as { entry: Entry }).entry.key < (heads[least] as { entry: Entry }).entry.key) {
          least = index;
        }
      }
      const head = heads[least] as { entry: Entry; source: Source };
      yield head.entry;
      const next = await head.source.next();
      if (next.done) heads.splice(least, 1);
      else head.entry = next.value;
    }
  } finally {
    for (const { source } of heads) await source.return?.();
  }
}
