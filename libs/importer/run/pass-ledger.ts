import type { ImportState } from '../state/state.model.js';

const MAX_NOTES = 1_000;
const MAX_ERRORS = 10_000;

/** Adds counts and notes of a pass to its state. Lists are bounded so that the state file stays small. */
export class PassLedger {
  constructor(readonly state: ImportState) {}

  count(name: keyof ImportState['counts'], by = 1): void {
    this.state.counts[name] += by;
  }

  note(id: string, note: string): void {
    this.append(this.state.notes, { id, note }, MAX_NOTES);
  }

  skip(kind: string, id: string, reason: string): void {
    const isKnown = this.state.skipped.some((item) => item.kind === kind && item.id === id);
    if (!isKnown) this.append(this.state.skipped, { kind, id, reason }, MAX_NOTES);
  }

  error(id: string, message: string): void {
    this.count('failed');
    this.append(this.state.errors, { id, message }, MAX_ERRORS);
  }

  private append<T>(list: T[], item: T, max: number): void {
    if (list.length < max) list.push(item);
    else this.state.notes_truncated = true;
  }
}
