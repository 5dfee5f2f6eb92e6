interface Flight<Result> {
  running: Promise<Result>;
  next: Promise<Result> | null;
}

/**
 * Shares one read among concurrent callers in this process with the same key. A caller never joins a read that has
 * started, because it might miss the caller's own write; it shares the next one.
 */
export class SharedReads<Result> {
  private readonly flights = new Map<string, Flight<Result>>();

  /** @param key identifies the read completely */
  read(key: string, work: () => Promise<Result>): Promise<Result> {
    const flight = this.flights.get(key);
    if (!flight) return this.start(key, work);
    flight.next ??= flight.running.then(
      () => this.start(key, work),
      () => this.start(key, work),
    );
    return flight.next;
  }

  private start(key: string, work: () => Promise<Result>): Promise<Result> {
    const flight: Flight<Result> = { running: work(), next: null };
    this.flights.set(key, flight);
    const end = (): void => {
      if (flight.next === null) this.flights.delete(key);
    };
    flight.running.then(end, end);
    return flight.running;
  }
}
