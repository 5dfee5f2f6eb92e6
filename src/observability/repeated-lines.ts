/** Of lines that tell the same, one is written in so much time (ms). */
const INTERVAL_MS = 1_000;
/** So many different lines are remembered: more than a process writes in one interval. */
const MAX_REMEMBERED = 500;

interface Remembered {
  writtenAtMs: number;
  repeated: number;
}

/** Keeps a failure that every request meets (a full disk, a database that is away) from filling the log. */
export class RepeatedLines {
  /** The one that was written longest ago first. */
  private readonly lines = new Map<string, Remembered>();

  constructor(private readonly nowMs: () => number) {}

  /** What is to be written: how often it came since it was last written is added; null: nothing now. */
  admit(level: string, fields: object, message: string): object | null {
    const cause = causeOf(fields);
    if (cause === null) return fields;
    const key = `${level} ${message} ${cause}`;
    const known = this.lines.get(key);
    const nowMs = this.nowMs();
    if (known && nowMs - known.writtenAtMs < INTERVAL_MS) {
      known.repeated++;
      return null;
    }
    this.lines.delete(key);
    this.lines.set(key, { writtenAtMs: nowMs, repeated: 0 });
    if (this.lines.size > MAX_REMEMBERED) this.lines.delete(this.lines.keys().next().value as string);
    return known && known.repeated > 0 ? { ...fields, repeated: known.repeated } : fields;
  }
}

/** Null of a line that tells of no error: each of them is about something else. */
function causeOf(fields: object): string | null {
  const { err } = fields as { err?: unknown };
  if (!(err instanceof Error)) return null;
  const { code } = err as { code?: string | number };
  // The text of an error with a code may name a file or a row.
  return code === undefined ? `${err.name} ${err.message}` : `${err.name} ${code}`;
}
