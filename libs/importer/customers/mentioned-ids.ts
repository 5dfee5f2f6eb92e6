import { createReadStream } from 'node:fs';
import { access, appendFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ImportFailed } from '../command/outcome.js';

/**
 * Ids of customers that others mention (first owners of a purchase) and that the list may lack. Stored in a file, one
 * per line.
 */
export class MentionedIds {
  private unsaved: string[] = [];

  constructor(
    /** Null stores them in memory. */
    private readonly file: string | null,
  ) {}

  add(ids: readonly string[]): void {
    this.unsaved.push(...ids);
  }

  async save(): Promise<void> {
    if (this.file === null || this.unsaved.length === 0) return;
    const lines = this.unsaved.map((id) => `${JSON.stringify(id)}\n`).join('');
    try {
      await appendFile(this.file, lines, { mode: 0o600 });
    } catch (error) {
      throw new ImportFailed(`The file ${this.file} cannot be written: ${(error as Error).message}`);
    }
    this.unsaved = [];
  }

  async *all(): AsyncGenerator<string> {
    yield* [...this.unsaved];
    if (this.file === null) return;
    const exists = await access(this.file).then(
      () => true,
      () => false,
    );
    if (!exists) return;
    for await (const line of createInterface({ input: createReadStream(this.file, 'utf8') })) {
      const id = idOf(line);
      if (id !== null) yield id;
    }
  }

  async clear(): Promise<void> {
    this.unsaved = [];
    if (this.file !== null) await rm(this.file, { force: true });
  }
}

/** A run that was killed may have left a partial line. */
function idOf(line: string): string | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
