import { createHash } from 'node:crypto';
import { gaxios, JWT } from 'google-auth-library';
import { type CircuitBreaker, CircuitOpen } from '../circuit-breaker.js';
import { exchangeWithStore, StoreAnswer, untilAborted } from '../store-fetch.js';
import { callFailure, PlayCallFailed } from './play-errors.js';
import type { ServiceAccount } from './play-app.js';

const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
/** Address from which Google's library fetches access tokens; a constant in it. */
const LIBRARY_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const TOKEN_TIMEOUT_MS = 8_000;
const MAX_CLIENTS = 1_000;

/** Base URLs without a trailing slash. */
export interface GoogleUrls {
  api: string;
  token: string;
  certs: string;
}

export const googleUrls: GoogleUrls = {
  api: 'https://androidpublisher.googleapis.com',
  token: LIBRARY_TOKEN_URL,
  certs: 'https://www.googleapis.com/oauth2/v3/certs',
};

export interface PlayRequest {
  method: 'GET' | 'POST';
  /** Includes the query. */
  path: string;
  body?: object;
  /** Keeps the circuit breaker of each app separate. */
  circuit: string;
}

/** The library's transport for access tokens, without its retries, which are the caller's decision. */
class Transport extends gaxios.Gaxios {
  constructor(private readonly tokenUrl: string) {
    super();
  }

  override request<T>(options: gaxios.GaxiosOptions = {}): gaxios.GaxiosPromise<T> {
    const url = String(options.url) === LIBRARY_TOKEN_URL ? this.tokenUrl : options.url;
    return super.request<T>({
      timeout: TOKEN_TIMEOUT_MS,
      ...options,
      url,
      retry: false,
      retryConfig: undefined,
      follow: 0,
    });
  }
}

function nameOf({ clientEmail, privateKeyPem }: ServiceAccount): string {
  return createHash('sha256').update(`${clientEmail}\n${privateKeyPem}`).digest('hex');
}

/** An answer of Google that refuses a request. */
class Refused extends Error {
  constructor(readonly answer: StoreAnswer) {
    super(`status ${answer.status}`);
  }
}

function statusOf(outcome: unknown): number | undefined {
  if (outcome instanceof Refused) return outcome.answer.status;
  if (outcome instanceof gaxios.GaxiosError) return outcome.response?.status;
  return outcome instanceof StoreAnswer ? outcome.status : undefined;
}

function failed(error: unknown): PlayCallFailed {
  if (error instanceof PlayCallFailed) return error;
  if (error instanceof CircuitOpen) {
    const message = 'Google Play has not answered recently.';
    return new PlayCallFailed('unavailable', message, null, error.retryAfterMs);
  }
  if (error instanceof Refused) {
    const { answer } = error;
    return callFailure(answer.status, answer.jsonOrNull(), answer.header('retry-after'));
  }
  // The access token was refused.
  if (error instanceof gaxios.GaxiosError && error.response) {
    const { status, data, headers } = error.response as gaxios.GaxiosResponse<unknown>;
    return callFailure(status, data, headers.get('retry-after'));
  }
  return new PlayCallFailed('unavailable', 'Google Play could not be reached in time.');
}

/** One client for each service account, with its access token. */
export class GoogleClients {
  private readonly clients = new Map<string, JWT>();

  constructor(
    private readonly urls: Pick<GoogleUrls, 'api' | 'token'>,
    private readonly breaker: CircuitBreaker,
  ) {}

  /** Returns the JSON of the response; `{}` if it is empty. @throws PlayCallFailed */
  async call(account: ServiceAccount, request: PlayRequest, deadline: AbortSignal): Promise<unknown> {
    const name = nameOf(account);
    try {
      return await this.tried(name, account, request, deadline);
    } catch (error) {
      // The access token was revoked early.
      if (statusOf(error) !== 401 || !this.clients.delete(name)) throw failed(error);
    }
    try {
      return await this.tried(name, account, request, deadline);
    } catch (error) {
      if (statusOf(error) === 401) this.clients.delete(name);
      throw failed(error);
    }
  }

  private async tried(
    name: string,
    account: ServiceAccount,
    { circuit, ...request }: PlayRequest,
    deadline: AbortSignal,
  ): Promise<unknown> {
    const answer = await this.breaker.run(
      `${this.urls.api} ${circuit}`,
      // Other callers may wait for the same access token, and longer.
      () => untilAborted(deadline, this.answerTo(this.of(name, account), request, deadline)),
      statusOf,
    );
    return answer.isEmpty ? {} : answer.jsonOrNull();
  }

  private async answerTo(
    client: JWT,
    { method, path, body }: Omit<PlayRequest, 'circuit'>,
    signal: AbortSignal,
  ): Promise<StoreAnswer> {
    const { token } = await client.getAccessToken();
    const answer = await exchangeWithStore(`${this.urls.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token ?? ''}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    if (!answer.ok) throw new Refused(answer);
    return answer;
  }

  private of(name: string, { clientEmail, privateKeyPem }: ServiceAccount): JWT {
    const known = this.clients.get(name);
    if (known) return known;
    const client = new JWT({
      email: clientEmail,
      key: privateKeyPem,
      scopes: [SCOPE],
      transporter: new Transport(this.urls.token),
    });
    const [oldest] = this.clients.keys();
    if (this.clients.size >= MAX_CLIENTS && oldest !== undefined) this.clients.delete(oldest);
    this.clients.set(name, client);
    return client;
  }
}
