/** A request of a test, and its answer once there is one. */
interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  answer?: { status: number; body: unknown };
}

/**
 * Remembers the request as the last one of the test. If the test fails, the environment (environment.mjs) adds it to
 * the error. The global object is what the two share.
 */
export function noteRequest(exchange: Exchange): Exchange {
  (globalThis as { lastExchange?: Exchange }).lastExchange = exchange;
  return exchange;
}
