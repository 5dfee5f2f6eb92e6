import { Readable } from 'node:stream';
import { request } from 'undici';
import type { FileStoreEnvironment } from '../environment.js';
import { FileStoreError } from '../file-store-error.js';

export interface HttpExchange {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: Buffer;
  signal?: AbortSignal;
  /** Bytes of the answer to read; the rest is not. */
  maxBytes?: number;
}

export interface HttpAnswer {
  status: number;
  header(name: string): string | null;
  body: Buffer;
}

const IDLE_MS = 60_000;
const ANSWER_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

const TIMEOUTS = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** Ends an exchange in which no byte has moved for a while, however long the exchange takes in total. */
class IdleWatch {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Rejects when the exchange must end. undici ignores signals while a request waits for a connection. */
  readonly ended: Promise<never>;
  private fail!: (error: unknown) => void;
  private readonly onAbort = (): void => this.stop(this.outer?.reason);

  constructor(
    private readonly idleMs: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    this.ended = new Promise((_, reject) => (this.fail = reject));
    this.ended.catch(() => undefined);
    outer?.addEventListener('abort', this.onAbort, { once: true });
    this.touch();
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  touch = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const seconds = Math.round(this.idleMs / 1000);
      this.stop(
        new FileStoreError('timeout', `The store did not answer for ${seconds} seconds.`, {
          isTransient: true,
        }),
      );
    }, this.idleMs);
  };

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }

  private stop(error: unknown): void {
    this.fail(error);
    this.abort.abort(error);
  }
}

/** In pieces, so that the watch sees how far the network has accepted them. */
function* piecesOf(body: Buffer, touch: () => void): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    touch();
    yield body.subarray(at, at + PIECE_BYTES);
  }
  touch();
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number, touch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    touch();
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

export type Send = (exchange: HttpExchange) => Promise<HttpAnswer>;

/** Sends single requests through the guarded connections. Redirects are answers like others: nothing follows them. */
export function httpIn({
  connections,
  idleMs = IDLE_MS,
}: Pick<FileStoreEnvironment, 'connections' | 'idleMs'>): Send {
  const exchange = async (
    { method, url, headers, body, maxBytes = ANSWER_BYTES }: HttpExchange,
    watch: IdleWatch,
  ): Promise<HttpAnswer> => {
    const isLong = body !== undefined && body.length > PIECE_BYTES;
    const sent = isLong ? Readable.from(piecesOf(body, watch.touch), { objectMode: false }) : body;
    const response = await request(url, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-length': String(body.length) },
      body: sent,
      dispatcher: connections.dispatcher,
      signal: watch.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    watch.touch();
    return {
      status: response.statusCode,
      header: (name) => [response.headers[name] ?? null].flat()[0] ?? null,
      body: await readStart(response.body, maxBytes, watch.touch),
    };
  };
  return async (outgoing) => {
    outgoing.signal?.throwIfAborted();
    const watch = new IdleWatch(idleMs, outgoing.signal);
    try {
      return await Promise.race([exchange(outgoing, watch), watch.ended]);
    } catch (error) {
      outgoing.signal?.throwIfAborted();
      throw connectionFailure(error, connections.refusalOf(error));
    } finally {
      watch.end();
    }
  };
}

/** The error of a connection that did not carry an answer. */
export function connectionFailure(error: unknown, refusal: string | null): FileStoreError {
  if (error instanceof FileStoreError) return error;
  if (refusal !== null) return new FileStoreError('address_refused', refusal);
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' ? ` (${code})` : '';
  return typeof code === 'string' && TIMEOUTS.test(code)
    ? new FileStoreError('timeout', `The store did not answer in time${detail}.`, { isTransient: true })
    : new FileStoreError('unreachable', `The connection to the store failed${detail}.`, {
        isTransient: true,
      });
}
