import { createHash } from 'node:crypto';
import { ExternalSort } from '../files/external-sort.js';
import type { ListedId, VerifySide } from './customer-checker.js';

/** The ids of both sides, each once, ordered by a hash, so that the first n are the same sample on every run. */
export class IdUnion {
  private readonly ids = new ExternalSort();

  static async of(source: VerifySide, target: VerifySide): Promise<IdUnion> {
    const union = new IdUnion();
    try {
      for await (const id of source.listedIds()) await union.add(id, 's');
      for await (const id of target.listedIds()) await union.add(id, 't');
    } catch (error) {
      await union.close();
      throw error;
    }
    return union;
  }

  async *listed(): AsyncGenerator<ListedId> {
    const folded = this.ids.folded(
      () => ({ id: '', inSource: false, inTarget: false }),
      (state, value) => {
        state.id = value.slice(1);
        if (value.startsWith('s')) state.inSource = true;
        else state.inTarget = true;
      },
    );
    for await (const [, listed] of folded) yield listed;
  }

  close(): Promise<void> {
    return this.ids.close();
  }

  private add(id: string, side: 's' | 't'): Promise<void> {
    const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
    return this.ids.add(`${hash}${id}`, `${side}${id}`);
  }
}
