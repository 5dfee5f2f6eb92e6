import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';
import { Seeded } from './seeded.js';
import { VendorAnswers } from './vendor-answers.js';
import { VendorLimits } from './vendor-limits.js';
import type { VendorCustomer, VendorWorld } from './vendor.model.js';

export const VENDOR_KEY = 'sk_VendorSecretKeyForTests0001';
export const VENDOR_V1_KEY = 'sk_VendorV1SecretKeyForTests01';
export const VENDOR_PUBLIC_KEY = 'appl_VendorKeyOfTheIosApp0001';

/** What happens to one request, by its number from 1. */
export type VendorFault =
  500 | 502 | 503 | 504 | 423 | 429 | 'limited-without-headers' | 'reset' | 'hang' | 'cut-json' | 'html';

export interface VendorJournalEntry {
  number: number;
  atMs: number;
  key: string;
  method: string;
  path: string;
  status: number | 'reset' | 'hang';
  /** End of the pause after a 429 answer. */
  waitUntilMs?: number;
}

export interface VendorSwitches {
  /** The end of a list has no `next_page` at all. */
  omitsLastPage: boolean;
  /** Customers whose activity moves them to the front, after each page of the customer list. */
  touchedBetweenPages: number;
  /** The third page of the customer list names the second as its next. */
  loops: boolean;
  /** Permissions that the key lacks. */
  lacks: string[];
  limits: { customer: number; project: number; v1: number };
  sendsLimits: boolean;
}

const PERMISSIONS: [RegExp, string][] = [
  [/\/customers\/[^/]+\/subscriptions|\/subscriptions\//, 'customer_information:subscriptions:read'],
  [/\/customers\/[^/]+\/(purchases|virtual_currencies)/, 'customer_information:purchases:read'],
  [/\/customers/, 'customer_information:customers:read'],
];

/** The vendor's REST v2, and the one call of v1, of one project in memory. */
export class FakeVendor extends FakeHttp {
  readonly journal: VendorJournalEntry[] = [];
  readonly faults = new Map<number, VendorFault>();
  /** Unknown ids that v1 was asked for and made into customers: a mistake of the caller. */
  createdByV1: string[] = [];
  switches: VendorSwitches = {
    omitsLastPage: false,
    touchedBetweenPages: 0,
    loops: false,
    lacks: [],
    limits: { customer: 1_000_000, project: 1_000_000, v1: 1_000_000 },
    sendsLimits: true,
  };
  private readonly answers: VendorAnswers;
  private limits: VendorLimits | null = null;
  private readonly random = new Seeded(7);
  private listPages = 0;
  /** Customers by id and by every alias. */
  private readonly byId = new Map<string, VendorCustomer>();
  private readonly bySubscription = new Map<string, VendorCustomer>();

  constructor(
    readonly world: VendorWorld,
    private readonly nowMs: () => number = () => Date.now(),
  ) {
    super();
    this.answers = new VendorAnswers(world);
    this.index();
  }

  /** After changes of the world. */
  index(): void {
    this.byId.clear();
    for (const customer of this.world.customers.values()) {
      for (const id of [customer.id, ...customer.aliases]) this.byId.set(id, customer);
      for (const { id } of customer.subscriptions) this.bySubscription.set(id, customer);
    }
  }

  get baseUrl(): string {
    return `${this.url}/v2`;
  }

  protected answer(call: FakeCall): FakeAnswer {
    const number = this.journal.length + 1;
    const fault = this.faults.get(number);
    const answer = fault === undefined ? this.judged(call) : this.faulty(fault, call);
    const wait = answer.status === 429 ? Number(answer.headers?.['retry-after'] ?? 0) * 1000 : undefined;
    this.journal.push({
      number,
      atMs: this.nowMs(),
      key: call.headers.authorization?.replace('Bearer ', '') ?? '',
      method: call.method,
      path: call.path,
      status: answer.instead ?? answer.status,
      ...(wait === undefined ? {} : { waitUntilMs: this.nowMs() + wait }),
    });
    return answer;
  }

  private faulty(fault: VendorFault, call: FakeCall): FakeAnswer {
    switch (fault) {
      case 'reset':
      case 'hang':
        return { status: 200, instead: fault };
      case 'html':
        return { status: 200, body: '<html>Maintenance</html>', headers: { 'content-type': 'text/html' } };
      case 'cut-json': {
        const text = JSON.stringify(this.judged(call).body);
        return { status: 200, body: text.slice(0, Math.floor(text.length / 2)) };
      }
      case 'limited-without-headers':
        return {
          status: 429,
          body: { ...error('rate_limit_error', 'Rate limit exceeded'), backoff_ms: 200 },
        };
      case 429:
        return this.limited(1);
      case 423:
      case 500:
      case 502:
      case 503:
      case 504:
        return { status: fault, body: error('server_error', 'Something broke') };
    }
  }

  private limited(seconds: number): FakeAnswer {
    const body = { ...error('rate_limit_error', 'Rate limit exceeded'), backoff_ms: seconds * 1000 };
    return { status: 429, body, headers: { 'retry-after': String(seconds) } };
  }

  private judged(call: FakeCall): FakeAnswer {
    const key = call.headers.authorization?.replace('Bearer ', '') ?? '';
    const isV1 = call.path.startsWith('/v1/');
    if (key === VENDOR_PUBLIC_KEY)
      return refusal(403, 'authorization_error', 'A public key cannot be used here.');
    if (key !== (isV1 ? VENDOR_V1_KEY : VENDOR_KEY) && !key.startsWith('atk_')) {
      return refusal(401, 'authentication_error', 'The API key is not known.');
    }
    const needed =
      PERMISSIONS.find(([path]) => path.test(call.path))?.[1] ?? 'project_configuration:projects:read';
    if (this.switches.lacks.includes(needed)) {
      return refusal(403, 'authorization_error', `The API key lacks the permission ${needed}.`);
    }
    const domain = isV1 ? 'v1' : needed.startsWith('customer_information') ? 'customer' : 'project';
    this.limits ??= new VendorLimits(this.switches.limits, this.nowMs);
    const { usage, limit } = this.limits.count(key, domain);
    if (usage > limit) return this.limited(1 + this.random.below(3));
    const answer = isV1 ? this.v1(call) : this.v2(call);
    if (!this.switches.sendsLimits || isV1) return answer;
    return {
      ...answer,
      headers: {
        ...answer.headers,
        'RevenueCat-Rate-Limit-Current-Usage': String(usage),
        'RevenueCat-Rate-Limit-Current-Limit': String(limit),
      },
    };
  }

  private v1(call: FakeCall): FakeAnswer {
    const [, , what, id = ''] = call.path.split('/').map((part) => decodeURIComponent(part));
    if (what !== 'subscribers') return missing();
    const customer = this.byId.get(id);
    if (customer) return { status: 200, body: this.answers.subscriber(customer) };
    this.createdByV1.push(id);
    return { status: 201, body: { subscriber: { original_app_user_id: id, subscriptions: {} } } };
  }

  private v2(call: FakeCall): FakeAnswer {
    const [, , , project, area, id, part, , action] = call.path
      .split('/')
      .map((each) => decodeURIComponent(each));
    if (call.method !== 'GET') return refusal(405, 'invalid_request', 'The vendor is only read here.');
    if (project === undefined) return this.page(call, [this.answers.project()]);
    if (project !== this.world.project.id) return missing();
    if (action !== undefined) return missing();
    return area === 'customers'
      ? this.customers(call, id, part)
      : area === 'subscriptions'
        ? this.transactions(call, id ?? '', part)
        : this.catalog(call, area ?? '', id, part);
  }

  private catalog(
    call: FakeCall,
    area: string,
    id: string | undefined,
    part: string | undefined,
  ): FakeAnswer {
    const { world, answers } = this;
    const expand = call.query.getAll('expand').join(',');
    const nested = (items: unknown[], path: string) =>
      answers.list(
        items.slice(0, 20),
        items.length > 20 ? `${path}?starting_after=${lastId(items.slice(0, 20))}` : null,
        path,
      );
    const base = `/v2/projects/${world.project.id}`;
    switch (area) {
      case 'apps':
        if (id === undefined) return this.page(call, world.apps);
        return this.page(
          call,
          world.publicKeys.filter(({ app_id: app }) => app === id),
        );
      case 'products': {
        if (id === undefined) return this.page(call, world.products);
        const product = answers.product(id);
        return product ? { status: 200, body: product } : missing();
      }
      case 'entitlements': {
        if (id !== undefined) {
          const one = world.entitlements.find((each) => each.id === id);
          return one && part === 'products' ? this.page(call, answers.entitlementProducts(one)) : missing();
        }
        const items = world.entitlements.map((each) => ({
          ...answers.entitlement(each),
          ...(expand.includes('items.product')
            ? {
                products: nested(
                  answers.entitlementProducts(each),
                  `${base}/entitlements/${each.id}/products`,
                ),
              }
            : {}),
        }));
        return this.page(call, items);
      }
      case 'offerings': {
        const packagesOf = (offering: VendorWorld['offerings'][number]) =>
          offering.packages.map((each) => ({
            ...answers.package(each),
            ...(expand.includes('product')
              ? { products: nested(answers.packageProducts(each), `${base}/packages/${each.id}/products`) }
              : {}),
          }));
        const one = world.offerings.find((each) => each.id === id);
        if (one && part === 'packages') return this.page(call, packagesOf(one));
        const items = world.offerings.map((each) => ({
          ...answers.offering(each),
          ...(expand.includes('items.package')
            ? { packages: nested(packagesOf(each), `${base}/offerings/${each.id}/packages`) }
            : {}),
        }));
        return this.page(call, items);
      }
      case 'packages': {
        const one = world.offerings.flatMap(({ packages }) => packages).find((each) => each.id === id);
        return one && part === 'products' ? this.page(call, answers.packageProducts(one)) : missing();
      }
      case 'virtual_currencies':
        return this.page(
          call,
          world.currencies.map((each) => answers.currency(each)),
        );
      case 'integrations':
        return this.page(
          call,
          world.webhooks.map((each) => answers.webhook(each)),
        );
      default:
        return missing();
    }
  }

  private customers(call: FakeCall, id: string | undefined, part: string | undefined): FakeAnswer {
    const { answers } = this;
    if (id === undefined) return this.customerList(call);
    const customer = this.byId.get(id);
    if (!customer) return missing();
    switch (part) {
      case undefined: {
        const expands = call.query.getAll('expand').includes('attributes');
        const attributes = customer.attributes.map((each) => answers.attribute(each));
        const path = `${call.path}/attributes`;
        const next = attributes.length > 20 ? `${path}?starting_after=${attributes[19]?.name}` : null;
        const list = answers.list(attributes.slice(0, 20), next, path);
        const entitlements = answers.list(
          answers.activeEntitlements(customer),
          null,
          `${call.path}/active_entitlements`,
        );
        const body = {
          ...answers.customer(customer),
          active_entitlements: entitlements,
          ...(expands ? { attributes: list } : {}),
        };
        return { status: 200, body };
      }
      case 'aliases':
        return this.page(
          call,
          customer.aliases.map((alias) => answers.alias(alias)),
        );
      case 'attributes':
        return this.page(
          call,
          customer.attributes.map((each) => answers.attribute(each)),
          'name',
        );
      case 'subscriptions':
        return this.page(
          call,
          customer.subscriptions.map((each) => answers.subscription(customer, each)),
        );
      case 'purchases':
        return this.page(
          call,
          customer.purchases.map((each) => answers.purchase(customer, each)),
        );
      case 'active_entitlements':
        return this.page(call, answers.activeEntitlements(customer), 'entitlement_id');
      case 'virtual_currencies': {
        const withEmpty = call.query.get('include_empty_balances') === 'true';
        const balances = Object.entries(customer.balances).filter(
          ([, balance]) => withEmpty || balance !== 0,
        );
        return this.page(
          call,
          balances.map(([code, balance]) => answers.balance(code, balance)),
          'currency_code',
        );
      }
      default:
        return missing();
    }
  }

  private transactions(call: FakeCall, id: string, part: string | undefined): FakeAnswer {
    const found = this.bySubscription.get(id)?.subscriptions.find((each) => each.id === id);
    if (!found || part !== 'transactions') return missing();
    if (!['app_store', 'play_store'].includes(found.store)) {
      return refusal(422, 'unprocessable_entity_error', 'This store lists no transactions.');
    }
    return this.page(
      call,
      found.transactions.map((each) => this.answers.transaction(each)),
    );
  }

  /** Most recent activity first, so it changes while it is walked. */
  private customerList(call: FakeCall): FakeAnswer {
    const shown = [...this.world.customers.values()]
      .filter(({ hidden }) => !hidden)
      .sort((a, b) => b.last_seen_at - a.last_seen_at || (a.id < b.id ? -1 : 1));
    const answer = this.page(
      call,
      shown.map((each) => this.answers.customer(each)),
    );
    if (call.query.has('starting_after')) this.listPages += 1;
    else this.listPages = 1;
    const body = answer.body as { next_page?: string | null };
    if (this.switches.loops && this.listPages === 2) this.secondPage ||= call.path + search(call.query);
    const path = call.path + search(call.query);
    if (this.switches.loops && this.listPages === 3) this.thirdPage ||= path;
    if (path === this.thirdPage) body.next_page = this.secondPage;
    for (let index = 0; index < this.switches.touchedBetweenPages; index += 1) {
      this.random.pick(shown).last_seen_at = this.nowMs();
    }
    return answer;
  }

  private secondPage = '';
  private thirdPage = '';

  private page(call: FakeCall, items: unknown[], key = 'id'): FakeAnswer {
    const limit = Math.min(100, Number(call.query.get('limit') ?? 20));
    const after = call.query.get('starting_after');
    const idOf = (item: unknown) => (item as Record<string, string | undefined>)[key] ?? '';
    const start = after === null ? 0 : items.findIndex((item) => idOf(item) === after) + 1;
    if (after !== null && start === 0) return refusal(404, 'resource_missing', 'The cursor is not known.');
    const part = items.slice(start, start + limit);
    const hasMore = start + limit < items.length;
    const query = new URLSearchParams(call.query);
    query.delete('starting_after');
    query.append('starting_after', part.length > 0 ? idOf(part.at(-1)) : '');
    const list = this.answers.list(part, hasMore ? call.path + search(query) : null, call.path);
    if (!hasMore && this.switches.omitsLastPage) {
      return { status: 200, body: { ...list, next_page: undefined } };
    }
    return { status: 200, body: list };
  }
}

/** Encoded once; a colon stays as the vendor writes it. */
function search(query: URLSearchParams): string {
  const parts = [...query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function lastId(items: unknown[]): string {
  const last = items.at(-1) as { id?: string; product?: { id: string } } | undefined;
  return encodeURIComponent(last?.id ?? last?.product?.id ?? '');
}

function error(type: string, message: string) {
  return {
    object: 'error',
    type,
    message,
    retryable: type !== 'parameter_error',
    doc_url: 'https://example.com',
  };
}

function refusal(status: number, type: string, message: string): FakeAnswer {
  return { status, body: { ...error(type, message), retryable: false } };
}

function missing(): FakeAnswer {
  return refusal(404, 'resource_missing', 'It does not exist.');
}
