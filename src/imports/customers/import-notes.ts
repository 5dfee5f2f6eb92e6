const MAX_NOTES = 20;

/** Short notes on what was left out of a customer or recorded differently. */
export class ImportNotes {
  private readonly all: string[] = [];

  add(path: string, sentence: string): void {
    this.all.push(path === '' ? sentence : `${path}: ${sentence}`);
  }

  /** If there are too many, the last one counts the rest. */
  get texts(): string[] {
    if (this.all.length <= MAX_NOTES) return this.all;
    const shown = this.all.slice(0, MAX_NOTES - 1);
    return [...shown, `${this.all.length - shown.length} more notes`];
  }
}
