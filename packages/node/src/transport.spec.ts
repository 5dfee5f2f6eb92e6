import { jest } from '@jest/globals';
import { TenureError } from './tenure-error.js';
import { assertSecure, createTransport, type TransportOptions } from './transport.js';

const KEY = 'sk_secret';
const PRODUCTS = 'https://purchases.example.com/v2/projects/p/products';

interface Sent {
  url: string;
  init: RequestInit;
}

type Step = Response | Error | ((init: RequestInit) => Promise<Response>);

function answer(status: number, headers: Record<string, string> = {}, body: object = {}): Response {
  const all = { 'content-type': 'application/json', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** A connection that has these outcomes in turn. */
function connection(...steps: Step[]): { sent: Sent[]; fetch: typeof fetch } {
  const sent: Sent[] = [];
  const send = (url: unknown, init: RequestInit = {}): Promise<Response> => {
    sent.push({ url: url as string, init });
    const step = steps[sent.length - 1];
    if (step === undefined) return Promise.reject(new Error('no further answer'));
    if (step instanceof Error) return Promise.reject(step);
    return typeof step === 'function' ? step(init) : Promise.resolve(step);
  };
  return { sent, fetch: send };
}

function transport(options: Pick<TransportOptions, 'fetch'> & Partial<TransportOptions>) {
  return createTransport({
    baseUrl: new URL('https://purchases.example.com'),
    apiKey: KEY,
    timeoutMs: 30_000,
    allowInsecure: false,
    clientName: 'tenure-node/1.2.3',
    idempotentPosts: { prefixes: ['/v2/'], paths: ['/v1/spend'] },
    ...options,
  });
}

const headersOf = ({ init }: Sent): Headers => init.headers as Headers;

/** A connection that stays silent until it is aborted. */
const hang = ({ signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));

/** Lets the timers run until a call has ended. */
async function ended(call: Promise<Response>): Promise<Response | TenureError> {
  const outcome = call.catch((error: TenureError) => error);
  await jest.runAllTimersAsync();
  return outcome;
}

async function failureOf(call: Promise<Response>): Promise<TenureError> {
  const outcome = await ended(call);
  if (outcome instanceof TenureError) return outcome;
  throw new Error('the call did not fail');
}

describe('the transport', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 0, 2) });
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('sends the key, the name of the client and no redirect', async () => {
    const { sent, fetch } = connection(answer(200));
    await transport({ fetch })(new Request(PRODUCTS));
    const [request] = sent;
    expect(request?.init).toMatchObject({ method: 'GET', redirect: 'error', body: undefined });
    expect(Object.fromEntries(headersOf(request as Sent))).toEqual({
      authorization: `Bearer ${KEY}`,
      'x-client': 'tenure-node/1.2.3',
    });
  });

  it('repeats a POST with the same key and body, after half a second and after two', async () => {
    const { sent, fetch } = connection(answer(503), answer(429), answer(201));
    const at: number[] = [];
    const noted: typeof fetch = (...request) => {
      at.push(Date.now());
      return fetch(...request);
    };
    const call = transport({ fetch: noted })(new Request(PRODUCTS, { method: 'POST', body: '{"a":1}' }));
    expect(await ended(call)).toMatchObject({ status: 201 });
    const keys = sent.map((request) => headersOf(request).get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(sent.map(({ init }) => Buffer.from(init.body as ArrayBuffer).toString())).toEqual(
      Array(3).fill('{"a":1}'),
    );
    expect(at.map((time) => time - (at[0] ?? 0))).toEqual([0, 500, 2500]);
  });

  it("keeps the caller's idempotency key", async () => {
    const { sent, fetch } = connection(answer(201));
    const headers = { 'Idempotency-Key': 'mine' };
    await transport({ fetch })(new Request(PRODUCTS, { method: 'POST', headers }));
    expect(sent.map((request) => headersOf(request).get('idempotency-key'))).toEqual(['mine']);
  });

  it('returns the last answer after two retries', async () => {
    const { sent, fetch } = connection(answer(502), answer(503), answer(504));
    expect(await ended(transport({ fetch })(new Request(PRODUCTS)))).toMatchObject({ status: 504 });
    expect(sent).toHaveLength(3);
  });

  it.each([400, 401, 404, 409, 423, 500])('does not repeat a request that got %i', async (status) => {
    const { sent, fetch } = connection(answer(status));
    expect(await ended(transport({ fetch })(new Request(PRODUCTS)))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  it('does not repeat a POST for which the API has no idempotency key, even if the caller sends one', async () => {
    const url = 'https://purchases.example.com/auth/login';
    const { sent, fetch } = connection(answer(503));
    const request = new Request(url, { method: 'POST', headers: { 'Idempotency-Key': 'mine' } });
    expect(await ended(transport({ fetch })(request))).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['https://purchases.example.com/v1/spend', 'https://purchases.example.com'],
    ['https://example.com/tenure/v1/spend', 'https://example.com/tenure/'],
    ['https://example.com/tenure/v2/projects', 'https://example.com/tenure'],
  ])('repeats POST %s below %s', async (url, baseUrl) => {
    const { sent, fetch } = connection(answer(503), answer(200));
    const send = transport({ fetch, baseUrl: new URL(baseUrl) });
    expect(await ended(send(new Request(url, { method: 'POST' })))).toMatchObject({ status: 200 });
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    [new Date(Date.UTC(2026, 0, 2, 0, 0, 3)).toUTCString(), 3000],
    ['soon', 500],
  ])('waits for Retry-After %j', async (value, waitMs) => {
    const { fetch } = connection(answer(429, { 'retry-after': value }), answer(200));
    const startedAt = Date.now();
    await ended(transport({ fetch })(new Request(PRODUCTS)));
    expect(Date.now() - startedAt).toBe(waitMs);
  });

  it('returns the answer at once if Retry-After is beyond the timeout', async () => {
    const { sent, fetch } = connection(answer(429, { 'retry-after': '30' }));
    expect(await ended(transport({ fetch })(new Request(PRODUCTS)))).toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
  });

  it('repeats requests whose connection failed, and reports the last failure', async () => {
    const cause = new Error('socket hang up');
    const { sent, fetch } = connection(new Error('first'), new Error('second'), cause);
    const error = await failureOf(transport({ fetch })(new Request(PRODUCTS, { method: 'DELETE' })));
    expect(error).toMatchObject({ type: 'connection_error', status: null, retryable: true, cause });
    expect(sent).toHaveLength(3);
  });

  it('ends after the timeout, retries included', async () => {
    const { sent, fetch } = connection(answer(503), hang);
    const startedAt = Date.now();
    const error = await failureOf(transport({ fetch, timeoutMs: 1500 })(new Request(PRODUCTS)));
    expect(error).toMatchObject({ type: 'timeout', retryable: true });
    expect(Date.now() - startedAt).toBe(1500);
    expect(sent).toHaveLength(2);
  });

  it.each([['during a request', hang] as const, ['between retries', answer(503)] as const])(
    'ends when the caller aborts %s',
    async (_, step) => {
      const { sent, fetch } = connection(step, answer(200));
      const controller = new AbortController();
      const call = transport({ fetch })(new Request(PRODUCTS, { signal: controller.signal }));
      setTimeout(() => controller.abort('enough'), 100);
      expect(await failureOf(call)).toMatchObject({ type: 'aborted', retryable: false, cause: 'enough' });
      expect(sent).toHaveLength(1);
    },
  );

  it('asks for the key before each attempt', async () => {
    const keys = ['sk_old', 'sk_new'];
    const { sent, fetch } = connection(answer(503), answer(200));
    await ended(transport({ fetch, apiKey: () => keys.shift() ?? '' })(new Request(PRODUCTS)));
    expect(sent.map((request) => headersOf(request).get('authorization'))).toEqual([
      'Bearer sk_old',
      'Bearer sk_new',
    ]);
  });

  it('sends the key to no other origin', async () => {
    const { sent, fetch } = connection(answer(200), answer(200));
    const send = transport({ fetch });
    for (const url of ['https://example.com/v2/projects', 'https://purchases.example.com:8443/v2/projects'])
      await send(new Request(url));
    expect(sent.map((request) => headersOf(request).get('authorization'))).toEqual([null, null]);
  });

  it('does not quote a key that cannot be sent', async () => {
    const { sent, fetch } = connection();
    const outcome = transport({ fetch, apiKey: () => `${KEY}\n` })(new Request(PRODUCTS));
    await expect(outcome).rejects.toThrow(
      /^The API key is not a text of printable characters without spaces\.$/,
    );
    expect(sent).toEqual([]);
  });

  it.each([
    ['https://purchases.example.com', false, true],
    ['http://localhost:8787', false, true],
    ['http://127.0.0.1:8787', false, true],
    ['http://[::1]:8787', false, true],
    ['http://tenure.localhost', false, true],
    ['http://purchases.example.com', false, false],
    ['http://localhost.example.com', false, false],
    ['http://127.0.0.1.example.com', false, false],
    ['http://tenure:8787', true, true],
    ['ftp://localhost', true, false],
  ])('needs https: %s with allowInsecure %s', (url, allowInsecure, isAllowed) => {
    const check = () => assertSecure(new URL(url), allowInsecure);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(/is not https/);
  });
});
