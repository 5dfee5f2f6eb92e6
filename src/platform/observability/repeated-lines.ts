import { causeOf, isError } from './logged-error.js';

/** Minimum interval between equal lines about requests or projects. */
const ITEM_INTERVAL_MS = 1_000;
/** The same for background work: one line per cause, whatever work it affects. */
const CAUSE_INTERVAL_MS = 60_000;
const MAX_REMEMBERED = 500;
/** Maximum number of other messages listed in the line of a cause. */
const MAX_MESSAGES = 20;

const ITEM_FIELDS = ['request_id', 'projectId', 'tenantId'];

export type RepeatedLevel = 'warn' | 'error';

interface Line {
  level: RepeatedLevel;
  fields: object;
  message: string;
}

interface Remembered {
  timer: NodeJS.Timeout;
  cause: string;
  isItem: boolean;
  sinceMs: number;
  /** Lines suppressed since the last one was written, and in total. */
  repeated: number;
  total: number;
  messages: Set<string>;
  last: Line;
}

interface Sink {
  write(level: RepeatedLevel | 'info', fields: object, message: string): void;
}

/** Prevents a failure of all work (full disk, no database) from filling the log: repeats are counted and summarized. */
export class RepeatedLines {
  /** Oldest first. */
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly sink: Sink) {}

  take(level: RepeatedLevel, fields: object, message: string): void {
    const { err } = fields as { err?: unknown };
    // Lines without an error each have their own cause.
    if (!isError(err)) return this.sink.write(level, fields, message);
    const cause = causeOf(err);
    const isItem = ITEM_FIELDS.some((field) => field in fields);
    const key = isItem ? `${level} ${message} ${cause}` : cause;
    const known = this.remembered.get(key);
    const line = { level, fields, message };
    if (!known) {
      this.remember(key, { cause, isItem, line });
      return this.sink.write(level, fields, message);
    }
    known.repeated++;
    known.total++;
    if (known.messages.size < MAX_MESSAGES) known.messages.add(message);
    if (level === 'error' || known.last.level === 'warn') known.last = line;
  }

  private remember(
    key: string,
    { cause, isItem, line }: { cause: string; isItem: boolean; line: Line },
  ): void {
    const intervalMs = isItem ? ITEM_INTERVAL_MS : CAUSE_INTERVAL_MS;
    this.remembered.set(key, {
      timer: setInterval(() => this.endInterval(key), intervalMs).unref(),
      cause,
      isItem,
      sinceMs: performance.now(),
      repeated: 0,
      total: 0,
      messages: new Set(),
      last: line,
    });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.forget(oldest);
  }

  private endInterval(key: string): void {
    const known = this.remembered.get(key);
    if (!known) return;
    if (known.repeated > 0) return this.writeRepeated(known);
    this.forget(key);
    if (known.isItem || known.total === 0) return;
    const seconds = Math.round((performance.now() - known.sinceMs) / 1000);
    this.sink.write('info', { cause: known.cause, repeated: known.total, seconds }, 'a failure has ended');
  }

  private writeRepeated(known: Remembered): void {
    const { level, fields, message } = known.last;
    known.messages.delete(message);
    const also = known.messages.size > 0 ? { also: [...known.messages] } : {};
    this.sink.write(level, { ...fields, repeated: known.repeated, ...also }, message);
    known.repeated = 0;
    known.messages = new Set();
    // The next line may have a lower level.
    known.last = { ...known.last, level: 'warn' };
  }

  private forget(key: string): void {
    const known = this.remembered.get(key);
    if (!known) return;
    clearInterval(known.timer);
    this.remembered.delete(key);
    if (known.repeated > 0) this.writeRepeated(known);
  }
}
