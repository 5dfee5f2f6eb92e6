const MAX_NOTES = 20;

/** Short sentences about what was left out of a customer or recorded in another way. */
export class ImportNotes {
  private readonly all: string[] = [];

  add(path: string, sentence: string): void {
    this.all.push(path === '' ? sentence : `${path}: ${sentence}`);
  }

  /** The last of too many says how many more there are. */
  get texts(): string[] {
    if (this.all.length <= MAX_NOTES) return this.all;
    const shown = this.all.slice(0, MAX_NOTES - 1);
    return [...shown, `${this.all.length - shown.length} more notes`];
  }
}
