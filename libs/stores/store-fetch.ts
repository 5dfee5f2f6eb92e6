import type { CircuitBreaker } from './circuit-breaker.js';

function statusOf(outcome: unknown): number | undefined {
  return outcome instanceof Response ? outcome.status : undefined;
}

/**
 * `fetch` for the services of stores: through a circuit, without following redirects. Gives the whole answer, so that
 * one that breaks off or never ends counts as none.
 * @throws CircuitOpen while the store is left alone; what `fetch` throws
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
    // Answers without a body may have none that is empty, either.
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
  return breaker.run(circuit, call, statusOf);
}
