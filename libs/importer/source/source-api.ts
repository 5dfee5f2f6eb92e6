import { ImportFailed } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import type { SourceSettings } from '../command/settings.js';
import { HttpClient, HttpRefusal, type Answer } from '../http/http-client.js';
import { RateBucket } from '../http/rate-bucket.js';
import type {
  SourceActiveEntitlement,
  SourceAlias,
  SourceApp,
  SourceAttribute,
  SourceBalance,
  SourceCurrency,
  SourceCustomer,
  SourceEntitlement,
  SourceList,
  SourceOffering,
  SourcePackage,
  SourcePackageProduct,
  SourceProduct,
  SourceProject,
  SourcePublicKey,
  SourcePurchase,
  SourceSubscriber,
  SourceSubscription,
  SourceTransaction,
  SourceWebhook,
} from './source.model.js';

/** Requests per minute if the vendor's answers contain no limit. */
const CUSTOMER_LIMIT = 480;
const PROJECT_LIMIT = 60;
/** v1 publishes no limit; users report about one request per second. */
const V1_LIMIT = 60;
const MAX_LIST = 100;

/** Reads the vendor's REST v2 (and one v1 endpoint, if given a v1 key) within its rate limits. */
export class SourceApi {
  /** Rate domain `customer_information`; progress shows its waits. */
  readonly customerBucket: RateBucket;
  private readonly projectBucket: RateBucket;
  private readonly v1Bucket: RateBucket;
  private readonly http: HttpClient;
  private readonly v1: HttpClient | null;
  private readonly base: string;
  private readonly origin: string;

  constructor(
    settings: SourceSettings,
    runtime: Runtime,
    abort: AbortSignal,
    /** Called when a walk stops because a page was listed twice. */
    private readonly warn: (message: string) => void,
  ) {
    const url = new URL(settings.url);
    this.origin = url.origin;
    this.base = url.pathname.replace(/\/+$/, '');
    this.customerBucket = new RateBucket(CUSTOMER_LIMIT, runtime);
    this.projectBucket = new RateBucket(PROJECT_LIMIT, runtime);
    this.v1Bucket = new RateBucket(V1_LIMIT, runtime);
    const options = { name: 'the source', origin: url.origin, runtime, abort };
    this.http = new HttpClient({ ...options, key: settings.key });
    this.v1 = settings.v1Key === null ? null : new HttpClient({ ...options, key: settings.v1Key });
  }

  get requests(): number {
    return this.http.requests + (this.v1?.requests ?? 0);
  }

  get rateLimitedMs(): number {
    return this.customerBucket.limitedMs + this.projectBucket.limitedMs + this.v1Bucket.limitedMs;
  }

  get hasV1(): boolean {
    return this.v1 !== null;
  }

  projects(): Promise<SourceProject[]> {
    return this.every(`${this.base}/projects?limit=${MAX_LIST}`, this.projectBucket);
  }

  apps(project: string): Promise<SourceApp[]> {
    return this.configured(project, 'apps');
  }

  publicKeys(project: string, appId: string): Promise<SourcePublicKey[]> {
    return this.configured(project, `apps/${encodeURIComponent(appId)}/public_api_keys`);
  }

  products(project: string): Promise<SourceProduct[]> {
    return this.configured(project, 'products');
  }

  /** Null if the source does not know it. */
  product(project: string, id: string): Promise<SourceProduct | null> {
    return this.known(this.pathOf(project, `products/${encodeURIComponent(id)}`), this.projectBucket);
  }

  async entitlements(project: string): Promise<(SourceEntitlement & { products: SourceProduct[] })[]> {
    const path = this.pathOf(project, `entitlements?limit=${MAX_LIST}&expand=items.product`);
    const items = await this.every<SourceEntitlement & { products?: unknown }>(path, this.projectBucket);
    return this.withLists<SourceEntitlement, 'products', SourceProduct>(items, 'products', (id) =>
      this.pathOf(project, `entitlements/${encodeURIComponent(id)}/products?limit=${MAX_LIST}`),
    );
  }

  async offerings(
    project: string,
  ): Promise<(SourceOffering & { packages: (SourcePackage & { products: SourcePackageProduct[] })[] })[]> {
    const expand = `limit=${MAX_LIST}&expand=items.package.product`;
    const items = await this.every<SourceOffering>(
      this.pathOf(project, `offerings?${expand}`),
      this.projectBucket,
    );
    const offerings = await this.withLists<
      SourceOffering,
      'packages',
      SourcePackage & { products?: unknown }
    >(items, 'packages', (id) =>
      this.pathOf(
        project,
        `offerings/${encodeURIComponent(id)}/packages?limit=${MAX_LIST}&expand=items.product`,
      ),
    );
    return Promise.all(
      offerings.map(async (offering) => ({
        ...offering,
        packages: await this.withLists<SourcePackage, 'products', SourcePackageProduct>(
          offering.packages,
          'products',
          (id) => this.pathOf(project, `packages/${encodeURIComponent(id)}/products?limit=${MAX_LIST}`),
        ),
      })),
    );
  }

  currencies(project: string): Promise<SourceCurrency[]> {
    return this.configured(project, 'virtual_currencies');
  }

  webhooks(project: string): Promise<SourceWebhook[]> {
    return this.configured(project, 'integrations/webhooks');
  }

  /** Returns one page of the customer list. `page` is the previous page's `nextPage`, or null for the first. */
  async customersPage(
    project: string,
    page: string | null,
    pageSize: number,
  ): Promise<SourceList<SourceCustomer>> {
    return this.page(page ?? this.pathOf(project, `customers?limit=${pageSize}`), this.customerBucket);
  }

  /** Includes attributes. Null if the source does not know the customer. */
  async customer(
    project: string,
    id: string,
  ): Promise<(SourceCustomer & { attributes: SourceAttribute[] }) | null> {
    const path = this.customerPath(project, id, '?expand=attributes');
    const found = await this.known<SourceCustomer & { attributes?: unknown }>(path, this.customerBucket);
    if (!found) return null;
    const [full] = await this.withLists<SourceCustomer, 'attributes', SourceAttribute>(
      [found],
      'attributes',
      () => this.customerPath(project, id, `/attributes?limit=${MAX_LIST}`),
      this.customerBucket,
    );
    return full ?? null;
  }

  aliases(project: string, id: string): Promise<SourceAlias[]> {
    return this.ofCustomer(project, id, 'aliases');
  }

  attributes(project: string, id: string): Promise<SourceAttribute[]> {
    return this.ofCustomer(project, id, 'attributes');
  }

  subscriptions(project: string, id: string): Promise<SourceSubscription[]> {
    return this.ofCustomer(project, id, 'subscriptions');
  }

  purchases(project: string, id: string): Promise<SourcePurchase[]> {
    return this.ofCustomer(project, id, 'purchases');
  }

  activeEntitlements(project: string, id: string): Promise<SourceActiveEntitlement[]> {
    return this.ofCustomer(project, id, 'active_entitlements');
  }

  balances(project: string, id: string): Promise<SourceBalance[]> {
    return this.ofCustomer(project, id, 'virtual_currencies', '&include_empty_balances=false');
  }

  /** Available only for App Store and Google Play subscriptions. */
  transactions(project: string, subscriptionId: string): Promise<SourceTransaction[]> {
    const path = this.pathOf(project, `subscriptions/${encodeURIComponent(subscriptionId)}/transactions`);
    return this.every(path, this.customerBucket);
  }

  /** Creates unknown customers at the vendor, so call it only with ids that v2 has just returned. */
  async subscriber(id: string): Promise<SourceSubscriber | null> {
    if (!this.v1) return null;
    const path = `${this.base.replace(/\/v2$/, '')}/v1/subscribers/${encodeURIComponent(id)}`;
    const { subscriber } = await this.v1.send({ path, bucket: this.v1Bucket });
    return (subscriber as SourceSubscriber | undefined) ?? null;
  }

  private configured<T>(project: string, name: string): Promise<T[]> {
    return this.every(this.pathOf(project, `${name}?limit=${MAX_LIST}`), this.projectBucket);
  }

  private ofCustomer<T>(project: string, id: string, name: string, more = ''): Promise<T[]> {
    return this.every(
      this.customerPath(project, id, `/${name}?limit=${MAX_LIST}${more}`),
      this.customerBucket,
    );
  }

  private pathOf(project: string, rest: string): string {
    return `${this.base}/projects/${encodeURIComponent(project)}/${rest}`;
  }

  private customerPath(project: string, id: string, rest: string): string {
    return this.pathOf(project, `customers/${encodeURIComponent(id)}${rest}`);
  }

  private async known<T>(path: string, bucket: RateBucket): Promise<T | null> {
    try {
      return (await this.http.send({ path, bucket })) as T;
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 404) return null;
      throw error;
    }
  }

  /** Reads all pages of a list. */
  private async every<T>(first: string, bucket: RateBucket): Promise<T[]> {
    return this.rest([], first, bucket);
  }

  private async rest<T>(items: T[], first: string | null, bucket: RateBucket): Promise<T[]> {
    const seen = new Set<string>();
    for (let path = first; path !== null;) {
      if (seen.has(path)) {
        this.warn(`A list of the source names a page twice; its walk stops there: ${path.split('?')[0]}`);
        break;
      }
      seen.add(path);
      const page: SourceList<T> = await this.page(path, bucket);
      items.push(...page.items);
      path = page.nextPage;
    }
    return items;
  }

  private async page<T>(path: string, bucket: RateBucket): Promise<SourceList<T>> {
    return this.listOf(await this.http.send({ path, bucket }), path);
  }

  private listOf<T>(list: Answer, path: string): SourceList<T> {
    if (!Array.isArray(list.items)) {
      throw new ImportFailed(`The source's answer to ${path.split('?')[0]} is not a list.`);
    }
    const next = list.next_page;
    return {
      items: list.items as T[],
      nextPage: typeof next === 'string' && next !== '' ? this.ownPath(next) : null,
    };
  }

  /** Uses the path unchanged, never decoded and rebuilt. A key is sent to no other host. */
  private ownPath(next: string): string {
    if (next.startsWith('/') && !next.startsWith('//')) return next;
    if (next.startsWith(`${this.origin}/`)) return next.slice(this.origin.length);
    throw new ImportFailed('The source names a next page at another address.');
  }

  /** Completes lists that were expanded, and reads the others. */
  private withLists<T extends { id: string }, Name extends string, Item>(
    items: readonly (T & { [K in Name]?: unknown })[],
    name: Name,
    pathOf: (id: string) => string,
    bucket = this.projectBucket,
  ): Promise<(Omit<T, Name> & { [K in Name]: Item[] } & T)[]> {
    return Promise.all(
      items.map(async (item) => {
        const given = item[name] as Answer | null | undefined;
        const list = given ? this.listOf<Item>(given, name) : { items: [], nextPage: pathOf(item.id) };
        return { ...item, [name]: await this.rest(list.items, list.nextPage, bucket) } as never;
      }),
    );
  }
}
