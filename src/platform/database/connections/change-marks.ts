const MAX_KEYS = 10_000;

/**
 * Whether something changed while it was read, by key: a change of one thing, which any database user can pretend, must
 * not prevent others from being cached. Remembers the latest changes; older reads count as changed.
 */
export class ChangeMarks {
  private count = 0;
  private floor = 0;
  /** Oldest first. */
  private readonly latest = new Map<string, number>();

  /** Read it before reading what is to be cached. */
  get mark(): number {
    return this.count;
  }

  note(key: string): void {
    this.count++;
    this.latest.delete(key);
    this.latest.set(key, this.count);
    if (this.latest.size <= MAX_KEYS) return;
    const [oldest] = this.latest;
    if (!oldest) return;
    this.floor = oldest[1];
    this.latest.delete(oldest[0]);
  }

  noteAll(): void {
    this.floor = ++this.count;
    this.latest.clear();
  }

  hasChanged(mark: number, ...keys: string[]): boolean {
    return mark < this.floor || keys.some((key) => (this.latest.get(key) ?? 0) > mark);
  }
}
