import { rm } from 'node:fs/promises';
import { IdHashes } from '../customers/id-hashes.js';
import { MentionedIds } from '../customers/mentioned-ids.js';
import type { ImportState } from '../state/state.model.js';
import { writeState } from '../state/state-file.js';

/** The files of a pass: its state, the ids it has read, and those that were only mentioned. */
export class PassFiles {
  readonly read: IdHashes;
  readonly mentioned: MentionedIds;

  constructor(
    /** Null keeps everything in memory, for a dry run. */
    private readonly file: string | null,
  ) {
    this.read = new IdHashes(file === null ? null : `${file}.ids`);
    this.mentioned = new MentionedIds(file === null ? null : `${file}.mentioned`);
  }

  /** Starts a pass with nothing read. */
  async begin(state: ImportState): Promise<void> {
    await this.read.clear();
    await this.mentioned.clear();
    await this.save(state);
  }

  resume(): Promise<void> {
    return this.read.load();
  }

  /**
   * Saves mentioned ids first, because nothing would mention them again, and the state before the ids that were read:
   * ids lost in a crash are read again.
   */
  async save(state: ImportState): Promise<void> {
    if (this.file === null) return;
    await this.mentioned.save();
    await writeState(this.file, state);
    await this.read.save();
  }

  /** Removes the mentioned ids, which are not needed after the last page. */
  async finish(state: ImportState): Promise<void> {
    await this.save(state);
    if (this.file === null) return;
    await rm(`${this.file}.mentioned`, { force: true });
  }
}
