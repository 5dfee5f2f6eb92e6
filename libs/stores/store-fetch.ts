import type { CircuitBreaker } from './circuit-breaker.js';

function statusOf(outcome: unknown): number | undefined {
  return outcome instanceof Response ? outcome.status : undefined;
}

/**
 * `fetch` for store services: uses a circuit breaker and does not follow redirects. Reads the whole body, so a response
 * that breaks off or never ends counts as a failure.
 * @throws CircuitOpen while the circuit is open; what `fetch` throws
 */
export function storeFetch(
  breaker: CircuitBreaker,
  circuit: string,
  url: Parameters<typeof fetch>[0],
  request: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  const call = async (): Promise<Response> => {
    const answer = await fetch(url, { ...request, redirect: 'error' });
    const { status, headers } = answer;
    const body = await answer.arrayBuffer();
    // Statuses without a body reject even an empty one.
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
  return breaker.run(circuit, call, statusOf);
}
