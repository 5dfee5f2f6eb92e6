import { Agent, request as send } from 'undici';
import type { CircuitBreaker } from './circuit-breaker.js';

export interface StoreRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal: AbortSignal;
}

const usualHeaders = { accept: '*/*', 'user-agent': 'node' };
const utf8 = new TextDecoder();
/** Connections stay open between calls; their number is limited by the callers' deadlines only. */
const agent = new Agent();

/** An HTTP answer with its whole body. */
export class StoreAnswer {
  constructor(
    readonly status: number,
    private readonly fields: Record<string, string | string[] | undefined>,
    private readonly bytes: Buffer,
  ) {}

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isEmpty(): boolean {
    return this.bytes.length === 0;
  }

  /** `name` is in lower case. */
  header(name: string): string | null {
    const value = this.fields[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  text(): string {
    return utf8.decode(this.bytes);
  }

  /** @throws SyntaxError if the body is not JSON */
  json(): unknown {
    return JSON.parse(this.text());
  }

  /** Null if the body is not JSON. */
  jsonOrNull(): unknown {
    try {
      return this.json();
    } catch {
      return null;
    }
  }
}

/** Rejects with the signal's reason once it aborts. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function exchange(
  url: string,
  { method = 'GET', headers, body, signal }: StoreRequest,
): Promise<StoreAnswer> {
  const answer = await send(url, {
    method,
    headers: { ...usualHeaders, ...headers },
    body,
    signal,
    dispatcher: agent,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(chunk);
  const { statusCode, headers: fields } = answer;
  if (statusCode >= 300 && statusCode < 400) throw new TypeError('The store redirects.');
  return new StoreAnswer(statusCode, fields, Buffer.concat(chunks));
}

/**
 * Sends one request; does not follow redirects. Reads the whole body, so a response that breaks off or never ends is a
 * failure. The client of `fetch` takes three to four times as much processor time.
 */
export function exchangeWithStore(url: string, request: StoreRequest): Promise<StoreAnswer> {
  // The signal alone is not enough: undici ignores it until the request has a connection.
  return untilAborted(request.signal, exchange(url, request));
}

function statusOf(outcome: unknown): number | undefined {
  return outcome instanceof StoreAnswer ? outcome.status : undefined;
}

/**
 * Calls a store behind a circuit breaker.
 * @throws CircuitOpen while the circuit is open; any error of the connection, and the reason of the signal
 */
export function storeFetch(
  breaker: CircuitBreaker,
  circuit: string,
  url: string,
  request: StoreRequest,
): Promise<StoreAnswer> {
  return breaker.run(circuit, () => exchangeWithStore(url, request), statusOf);
}
