const EVERY_MS = 1_000;
/** Different notifications within a second, above which everything of a channel counts as changed. */
const MAX_KEYS = 1_000;

type Dispatch = (channel: string, payload: string) => void;

/**
 * Any database user may send notifications, so one with equal channel and payload is passed on at most once a second:
 * the first at once, repeated ones together at the end of the second.
 */
export class NotificationThrottle {
  /** Whether the notification was repeated in its second. */
  private readonly recent = new Map<string, boolean>();

  constructor(private readonly dispatch: Dispatch) {}

  receive(channel: string, payload: string): void {
    const key = `${channel} ${payload}`;
    if (this.recent.has(key)) {
      this.recent.set(key, true);
      return;
    }
    if (this.recent.size >= MAX_KEYS && payload !== '') return this.receive(channel, '');
    this.recent.set(key, false);
    setTimeout(() => this.endSecond(channel, payload, key), EVERY_MS).unref();
    this.dispatch(channel, payload);
  }

  private endSecond(channel: string, payload: string, key: string): void {
    const isRepeated = this.recent.get(key);
    this.recent.delete(key);
    if (isRepeated) this.receive(channel, payload);
  }
}
