/** Requests of one rate domain in the current minute. */
export class VendorLimits {
  private readonly used = new Map<string, { minute: number; count: number }>();

  constructor(
    /** Requests a minute by domain. */
    readonly limits: Record<string, number>,
    private readonly nowMs: () => number,
  ) {}

  /** Counts a request. `usage` is more than `limit` if it is one too many. */
  count(key: string, domain: string): { usage: number; limit: number } {
    const minute = Math.floor(this.nowMs() / 60_000);
    const name = `${key} ${domain}`;
    const current = this.used.get(name);
    const count = current?.minute === minute ? current.count + 1 : 1;
    this.used.set(name, { minute, count });
    return { usage: count, limit: this.limits[domain] ?? Infinity };
  }
}
