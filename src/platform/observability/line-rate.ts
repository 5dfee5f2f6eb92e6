/** Maximum number of lines of one kind per interval. */
const MAX_LINES = 100;
const INTERVAL_MS = 1_000;

/** The kind of a line. There are only as many as routes and statuses. */
interface LineKind {
  method: string;
  route: string;
  status: number;
}

/** Limits the lines of each kind per second, and reports how many were omitted. */
export class LineRate {
  private readonly counts = new Map<string, number>();

  constructor(private readonly onLeftOut: (kind: LineKind, leftOut: number) => void) {}

  admit(kind: LineKind): boolean {
    const key = `${kind.method} ${kind.route} ${kind.status}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (count === 1) setTimeout(() => this.endInterval(key, kind), INTERVAL_MS).unref();
    return count <= MAX_LINES;
  }

  private endInterval(key: string, kind: LineKind): void {
    const leftOut = (this.counts.get(key) ?? 0) - MAX_LINES;
    this.counts.delete(key);
    if (leftOut > 0) this.onLeftOut(kind, leftOut);
  }
}
