import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';
import type { FakePaddle, PaddleJson } from './fake-paddle.js';

const error = (
  status: number,
  code: string,
  detail: string,
  headers?: Record<string, string>,
): FakeAnswer => ({
  status,
  body: {
    error: {
      type: 'request_error',
      code,
      detail,
      documentation_url: `https://developer.paddle.com/errors/shared/${code}`,
    },
    meta: { request_id: '00000000-0000-0000-0000-000000000000' },
  },
  headers,
});

export const paddleErrors = {
  invalidToken: error(403, 'invalid_token', 'The key pdl_live_apikey_ofTheFake is not valid.'),
  malformed: error(
    403,
    'authentication_malformed',
    'Authentication header included, but incorrectly formatted.',
  ),
  missing: error(403, 'authentication_missing', 'Authentication header missing.'),
  forbidden: error(403, 'forbidden', "You aren't permitted to perform this request: transaction.read."),
  noPrices: error(403, 'forbidden', "You aren't permitted to perform this request: price.read."),
  unknown: error(404, 'not_found', 'Entity not found.'),
  noAddress: error(404, 'invalid_url', 'There is no such address.'),
  badRequest: error(400, 'bad_request', 'Invalid request.'),
  tooMany: error(429, 'too_many_requests', 'IP address exceeded the allowed rate limit.', {
    'retry-after': '47',
  }),
  down: error(500, 'internal_error', 'Something went wrong.'),
  badGateway: { status: 502, body: '<html><body>502 Bad Gateway</body></html>' },
} satisfies Record<string, FakeAnswer>;

const permissions = 'address adjustment customer notification price product subscription transaction'
  .split(' ')
  .map((name) => `${name}.read`);

/** Paddle's API over the objects of a fake account. */
export class FakePaddleApi extends FakeHttp {
  environment: 'production' | 'sandbox' = 'production';
  permissions = permissions;
  hasRoot = true;
  /** Calls that it takes within a minute from one address; null: any number. */
  perMinute: number | null = null;
  private readonly times: number[] = [];

  constructor(private readonly paddle: FakePaddle) {
    super();
  }

  protected answer({ method, path, query, headers }: FakeCall): FakeAnswer {
    if (this.isTooMuch()) return paddleErrors.tooMany;
    if (headers.authorization === undefined) return paddleErrors.missing;
    const [, key] = /^bearer (\S+)$/i.exec(headers.authorization) ?? [];
    if (key === undefined) return paddleErrors.malformed;
    if (key !== this.paddle.apiKey) return paddleErrors.invalidToken;
    if (method === 'POST') return this.portal(path);
    if (path === '/') return this.hasRoot ? found(this.root) : paddleErrors.noAddress;
    if (path === '/event-types') return { status: 200, body: { data: [] } };
    if (path === '/subscriptions') {
      return this.permissions.includes('subscription.read')
        ? this.page([], query, 1)
        : paddleErrors.forbidden;
    }
    const [, kind, id] = /^\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (kind === 'subscriptions' && id) return found(this.paddle.subscriptions.get(id)?.object);
    const transaction = this.paddle.transactions.find((one) => one.id === id);
    if (kind === 'transactions' && id) return found(transaction && this.shown(transaction, query));
    if (kind === 'transactions') return this.page(this.listed(query), query, 30);
    if (kind === 'prices') return this.pricesOf(query);
    if (kind === 'events') return this.eventsOf(query);
    return paddleErrors.noAddress;
  }

  private get root(): object {
    return {
      api: { name: 'Paddle API', version: '1', environment: this.environment },
      caller: { auth_type: 'api_key', account: { id: 1 }, permissions: this.permissions },
    };
  }

  private isTooMuch(): boolean {
    const nowMs = this.paddle.clock.nowMs();
    this.times.push(nowMs);
    const recent = this.times.filter((time) => time > nowMs - 60_000).length;
    return this.perMinute !== null && recent > this.perMinute;
  }

  /** Counts the calls of the last minute. */
  recentCalls(): number {
    const nowMs = this.paddle.clock.nowMs();
    return this.times.filter((time) => time > nowMs - 60_000).length;
  }

  private listed(query: URLSearchParams): PaddleJson[] {
    const id = query.get('subscription_id');
    const own = this.paddle.transactions.filter((one) => id === null || one.subscription_id === id);
    const billed = (one: PaddleJson): string => (one.billed_at as string | null) ?? '9';
    const sorted = [...own].sort((a, b) => (billed(b) > billed(a) ? 1 : billed(b) < billed(a) ? -1 : 0));
    return sorted.map((one) => this.shown(one, query));
  }

  /** Related objects are only shown to who asks. */
  private shown(transaction: PaddleJson, query: URLSearchParams): PaddleJson {
    const { adjustments, address, ...own } = transaction;
    const include = (query.get('include') ?? '').split(',');
    return {
      ...own,
      ...(include.includes('adjustment') && { adjustments }),
      ...(include.includes('address') && { address }),
    };
  }

  private eventsOf(query: URLSearchParams): FakeAnswer {
    const sorted = [...this.paddle.events].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.page(query.get('order_by') === 'id[DESC]' ? sorted.reverse() : sorted, query, 200);
  }

  private pricesOf(query: URLSearchParams): FakeAnswer {
    if (!this.permissions.includes('price.read')) return paddleErrors.noPrices;
    const statuses = (query.get('status') ?? 'active').split(',');
    const listed = this.paddle.catalog.filter(({ status }) => statuses.includes(String(status)));
    const isIncluded = (query.get('include') ?? '').split(',').includes('product');
    const shown = isIncluded ? listed : listed.map((price) => ({ ...price, product: undefined }));
    return this.page(shown, query, 200);
  }

  private page(all: PaddleJson[], query: URLSearchParams, most: number): FakeAnswer {
    const after = query.get('after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const count = Math.min(most, Number(query.get('per_page') ?? most));
    const data = all.slice(from, from + count);
    const next = new URL(`${this.url}/next`);
    next.searchParams.set('after', data.at(-1)?.id ?? '');
    const pagination = {
      per_page: count,
      next: next.toString(),
      has_more: from + count < all.length,
      estimated_total: all.length,
    };
    return { status: 200, body: { data, meta: { request_id: 'r', pagination } } };
  }

  private portal(path: string): FakeAnswer {
    const [, customer] = /^\/customers\/(\w+)\/portal-sessions$/.exec(path) ?? [];
    if (customer === undefined) return paddleErrors.noAddress;
    if (!this.permissions.includes('customer_portal_session.write')) return paddleErrors.forbidden;
    const overview = `https://customer-portal.paddle.com/${customer}?token=t`;
    return found({
      id: this.paddle.newId('cpls'),
      customer_id: customer,
      urls: { general: { overview }, subscriptions: [] },
    });
  }
}

function found(data: object | undefined): FakeAnswer {
  return data ? { status: 200, body: { data, meta: { request_id: 'r' } } } : paddleErrors.unknown;
}
