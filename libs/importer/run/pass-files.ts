import { rm } from 'node:fs/promises';
import { IdHashes } from '../customers/id-hashes.js';
import { MentionedIds } from '../customers/mentioned-ids.js';
import type { ImportState } from '../state/state.model.js';
import { writeState } from '../state/state-file.js';

/** What a pass keeps on disk: its state, the ids it has read, and those it has only heard of. */
export class PassFiles {
  readonly read: IdHashes;
  readonly mentioned: MentionedIds;

  constructor(
    /** Null keeps everything in memory: a dry run. */
    private readonly file: string | null,
  ) {
    this.read = new IdHashes(file === null ? null : `${file}.ids`);
    this.mentioned = new MentionedIds(file === null ? null : `${file}.mentioned`);
  }

  /** Begins a pass: nothing has been read. */
  async begin(state: ImportState): Promise<void> {
    await this.read.clear();
    await this.mentioned.clear();
    await this.save(state);
  }

  resume(): Promise<void> {
    return this.read.load();
  }

  /**
   * The state last, and ids after it: what a crash loses in between is read again. Ids that were heard of come first,
   * because nothing would name them again.
   */
  async save(state: ImportState): Promise<void> {
    if (this.file === null) return;
    await this.mentioned.save();
    await writeState(this.file, state);
    await this.read.save();
  }

  /** After the last page nothing needs them. */
  async finish(state: ImportState): Promise<void> {
    await this.save(state);
    if (this.file === null) return;
    await rm(`${this.file}.mentioned`, { force: true });
  }
}
