interface Flight<Result> {
  running: Promise<Result>;
  next: Promise<Result> | null;
}

/**
 * Shares one read among concurrent callers in this process that request the same. A caller never joins a read
 * that has begun, because it might miss the caller's own write; later callers share the next one.
 */
export class SharedReads<Result> {
  private readonly flights = new Map<string, Flight<Result>>();

  /** @param key identifies completely what is read */
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
