import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';

interface Resource {
  type: string;
  id: string;
  attributes: Record<string, unknown>;
  relationships?: Record<string, { data: unknown }>;
}

interface FakeConnectProduct {
  resource: Resource;
  group: string | null;
  offers: Resource[];
  /** Prices by start (null: from the beginning), with whether they are kept for earlier buyers. */
  prices: { amount: string; startDate: string | null; preserved?: boolean }[];
}

const MAX_PAGE = 200;
const MAX_TOKEN_S = 20 * 60;

function refusal(status: number, code: string, title: string, detail: string): FakeAnswer {
  return { status, body: { errors: [{ id: 'e1', status: String(status), code, title, detail }] } };
}

export const connectErrors = {
  unauthorized: refusal(
    401,
    'NOT_AUTHORIZED',
    'Authentication credentials are missing or invalid.',
    'Provide a properly configured and signed bearer token.',
  ),
  forbidden: refusal(
    403,
    'FORBIDDEN_ERROR',
    'This request is forbidden for security reasons',
    'The API key in use does not allow this request',
  ),
  tooMany: {
    ...refusal(429, 'RATE_LIMIT_EXCEEDED', 'The request rate limit has been reached.', 'Try again later.'),
    headers: { 'retry-after': '300' },
  },
  unknown: refusal(404, 'NOT_FOUND', 'The specified resource does not exist', 'There is no such resource.'),
} satisfies Record<string, FakeAnswer>;

/** App Store Connect with one app, and a team key that may read it. */
export class FakeConnect extends FakeHttp {
  readonly keyId = 'CONNECT123';
  readonly issuerId = '57246542-96fe-1a63-e053-0824d011072a';
  readonly privateKeyPem: string;
  maxPage = MAX_PAGE;
  bundleIds = ['com.example.app.tv', 'com.example.app'];
  /** Tokens that were refused, with the reason. */
  readonly refused: string[] = [];
  private readonly publicKey;
  private readonly groups = new Set<string>();
  private readonly products: FakeConnectProduct[] = [];

  constructor(private readonly clock: ManualClock) {
    super();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.publicKey = createPublicKey(privateKey);
  }

  get keyFields(): Record<string, string> {
    return {
      app_store_connect_api_key: this.privateKeyPem,
      app_store_connect_api_key_id: this.keyId,
      app_store_connect_api_key_issuer: this.issuerId,
    };
  }

  addSubscription(
    group: string,
    productId: string,
    attributes: { name: string; subscriptionPeriod: string; state?: string },
    prices: FakeConnectProduct['prices'] = [],
    trial: string | null = null,
  ): void {
    this.groups.add(group);
    const id = `s${this.products.length}`;
    const offers: Resource[] =
      trial === null
        ? []
        : [
            {
              type: 'subscriptionIntroductoryOffers',
              id: `${id}-offer`,
              attributes: { offerMode: 'FREE_TRIAL', duration: trial, numberOfPeriods: 1 },
            },
          ];
    const resource = {
      type: 'subscriptions',
      id,
      attributes: { productId, state: 'APPROVED', ...attributes },
      relationships: {
        introductoryOffers: { data: offers.map(({ type, id: offer }) => ({ type, id: offer })) },
      },
    };
    this.products.push({ resource, group, offers, prices });
  }

  addInAppPurchase(productId: string, inAppPurchaseType: string, name: string, price: string | null): void {
    const attributes = { productId, inAppPurchaseType, name, state: 'APPROVED' };
    const prices = price === null ? [] : [{ amount: price, startDate: null }];
    const resource = { type: 'inAppPurchases', id: `i${this.products.length}`, attributes };
    this.products.push({ resource, group: null, offers: [], prices });
  }

  protected async checkToken(authorization: string | undefined): Promise<boolean> {
    const token = (authorization ?? '').replace(/^Bearer /, '');
    try {
      const { kid, alg, typ } = decodeProtectedHeader(token);
      const currentDate = new Date(this.clock.nowMs());
      const { payload } = await jwtVerify(token, this.publicKey, {
        issuer: this.issuerId,
        audience: 'appstoreconnect-v1',
        currentDate,
      });
      const lifetime = (payload.exp ?? Infinity) - (payload.iat ?? 0);
      return kid === this.keyId && alg === 'ES256' && typ === 'JWT' && lifetime <= MAX_TOKEN_S;
    } catch (error) {
      this.refused.push(String(error));
      return false;
    }
  }

  protected override async answer({ path, query, headers }: FakeCall): Promise<FakeAnswer> {
    if (!(await this.checkToken(headers.authorization))) return connectErrors.unauthorized;
    const [, kind, id = '', related] = /^\/v1\/(\w+)(?:\/([\w-]+)\/(\w+))?$/.exec(path) ?? [];
    if (kind === 'apps' && related === undefined) return this.page(path, this.apps(query), query);
    if (kind === 'apps' && id !== 'app1') return connectErrors.unknown;
    if (related === 'subscriptionGroups') {
      const groups = [...this.groups].map((name) => ({
        type: 'subscriptionGroups',
        id: name,
        attributes: {},
      }));
      return this.page(path, groups, query);
    }
    if (related === 'inAppPurchasesV2') return this.page(path, this.resourcesOf(null), query);
    if (kind === 'subscriptionGroups' && related === 'subscriptions') {
      const offers = this.products.flatMap((product) => product.offers);
      return this.page(path, this.resourcesOf(id), query, query.get('include') ? offers : []);
    }
    const product = this.products.find(({ resource }) => resource.id === id);
    if (kind === 'subscriptions' && related === 'prices' && product) {
      return this.prices(path, product, query, 'subscriptionPricePoint');
    }
    if (kind === 'inAppPurchasePriceSchedules' && product) {
      if (product.prices.length === 0) return connectErrors.unknown;
      const shown = related === 'automaticPrices' ? product : { ...product, prices: [] };
      return this.prices(path, shown, query, 'inAppPurchasePricePoint');
    }
    return connectErrors.unknown;
  }

  /** The filter matches the beginning of a bundle id, too. */
  private apps(query: URLSearchParams): Resource[] {
    const wanted = query.get('filter[bundleId]') ?? '';
    return this.bundleIds
      .filter((bundleId) => bundleId.startsWith(wanted))
      .map((bundleId, index) => ({ type: 'apps', id: `app${index}`, attributes: { bundleId } }));
  }

  private resourcesOf(group: string | null): Resource[] {
    return this.products.filter((product) => product.group === group).map(({ resource }) => resource);
  }

  private prices(
    path: string,
    { resource, prices }: FakeConnectProduct,
    query: URLSearchParams,
    point: string,
  ): FakeAnswer {
    if (query.get('filter[territory]') !== 'USA') return connectErrors.unknown;
    const items = prices.map(({ startDate, preserved = false }, index) => ({
      type: 'prices',
      id: `${resource.id}-p${index}`,
      attributes: { startDate, preserved },
      relationships: {
        [point]: { data: { type: `${point}s`, id: `${resource.id}-pp${index}` } },
        territory: { data: { type: 'territories', id: 'USA' } },
      },
    }));
    const points = prices.map(({ amount }, index) => ({
      type: `${point}s`,
      id: `${resource.id}-pp${index}`,
      attributes: { customerPrice: amount, proceeds: '1' },
    }));
    const territory = { type: 'territories', id: 'USA', attributes: { currency: 'USD' } };
    return this.page(path, items, query, [...points, territory]);
  }

  private page(path: string, all: object[], query: URLSearchParams, included: object[] = []): FakeAnswer {
    const limit = Math.min(Number(query.get('limit') ?? 50), this.maxPage);
    const from = Number(query.get('cursor') ?? 0);
    const next = new URL(`http://elsewhere.example.com${path}?${query.toString()}`);
    next.searchParams.set('cursor', String(from + limit));
    const links = { self: path, ...(from + limit < all.length && { next: next.toString() }) };
    return { status: 200, body: { data: all.slice(from, from + limit), included, links } };
  }
}
