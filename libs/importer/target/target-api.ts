import { randomUUID } from 'node:crypto';
import { ImportFailed } from '../command/outcome.js';
import type { Runtime } from '../command/runtime.js';
import type { TargetSettings } from '../command/settings.js';
import type { ImportCustomer } from '../customer-item.js';
import { HttpClient, HttpRefusal, type Answer } from '../http/http-client.js';
import { RateBucket } from '../http/rate-bucket.js';
import type {
  ImportResult,
  ImportStatus,
  TargetActiveEntitlement,
  TargetApp,
  TargetBalance,
  TargetCustomer,
  TargetProject,
  TargetPublicKey,
  TargetPurchase,
  TargetSubscription,
} from './target.model.js';

const MAX_LIST = 100;
/** More than the server can handle: requests are limited only if its answers contain a limit. */
const UNLIMITED = 1_000_000;

export interface ImportCustomersBody {
  customers: ImportCustomer[];
  emit_events: boolean;
  resolve_store_ids: boolean;
  as_of: number;
}

/** Reads and writes one project of the target server through REST v2. */
export class TargetApi {
  private readonly customerBucket: RateBucket;
  private readonly projectBucket: RateBucket;
  private readonly http: HttpClient;
  private readonly base: string;
  private projectId: string | null;

  constructor(settings: TargetSettings, runtime: Runtime, abort: AbortSignal) {
    const url = new URL(settings.url);
    this.base = `${url.pathname.replace(/\/+$/, '')}/v2`;
    this.projectId = settings.project;
    this.customerBucket = new RateBucket(UNLIMITED, runtime);
    this.projectBucket = new RateBucket(UNLIMITED, runtime);
    this.http = new HttpClient({ name: 'the target', origin: url.origin, key: settings.key, runtime, abort });
  }

  get requests(): number {
    return this.http.requests;
  }

  get rateLimitedMs(): number {
    return this.customerBucket.limitedMs + this.projectBucket.limitedMs;
  }

  /** @throws ImportFailed before `use` and without `--to-project` */
  get project(): string {
    if (this.projectId === null) throw new ImportFailed('The project of the target is not known yet.');
    return this.projectId;
  }

  use(projectId: string): void {
    this.projectId = projectId;
  }

  projects(): Promise<TargetProject[]> {
    return this.every(`${this.base}/projects?limit=${MAX_LIST}`, this.projectBucket);
  }

  apps(): Promise<TargetApp[]> {
    return this.configured('apps');
  }

  publicKeys(appId: string): Promise<TargetPublicKey[]> {
    return this.configured(`apps/${encodeURIComponent(appId)}/public_api_keys`);
  }

  /** Reads any list of the catalog: `products`, `offerings/{id}/packages`. */
  configured<T>(name: string): Promise<T[]> {
    return this.every(this.pathOf(`${name}?limit=${MAX_LIST}`), this.projectBucket);
  }

  /** Writes to the catalog. Retries have no further effect. */
  async configure<T>(name: string, body: object): Promise<T> {
    return (await this.post(name, body, this.projectBucket)) as T;
  }

  /** `failsOnTimeout` prevents a retry after a timeout: the caller sends less instead. */
  async importCustomers(body: ImportCustomersBody, failsOnTimeout = false): Promise<ImportResult> {
    const path = this.pathOf('import/customers');
    const bucket = this.customerBucket;
    const answer = await this.http.send({ method: 'POST', path, body, bucket, failsOnTimeout });
    return answer as unknown as ImportResult;
  }

  async setPublicKey(appId: string, key: string): Promise<void> {
    const name = `import/apps/${encodeURIComponent(appId)}/public_key`;
    await this.post(name, { public_key: key }, this.projectBucket);
  }

  async importStatus(): Promise<ImportStatus> {
    const answer = await this.http.send({ path: this.pathOf('import/status'), bucket: this.customerBucket });
    return answer as unknown as ImportStatus;
  }

  /** Returns the answer of any route of the project that has no method here. */
  get(name: string): Promise<Answer> {
    return this.http.send({ path: this.pathOf(name), bucket: this.projectBucket });
  }

  async customersPage(
    page: string | null,
    pageSize: number,
  ): Promise<{ items: TargetCustomer[]; nextPage: string | null }> {
    return this.page(page ?? this.pathOf(`customers?limit=${pageSize}`), this.customerBucket);
  }

  /** Finds a customer by id or alias; null if not known here. */
  async customer(id: string): Promise<TargetCustomer | null> {
    try {
      const path = this.customerPath(id, '');
      return (await this.http.send({ path, bucket: this.customerBucket })) as unknown as TargetCustomer;
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 404) return null;
      throw error;
    }
  }

  subscriptions(id: string): Promise<TargetSubscription[]> {
    return this.ofCustomer(id, 'subscriptions');
  }

  purchases(id: string): Promise<TargetPurchase[]> {
    return this.ofCustomer(id, 'purchases');
  }

  activeEntitlements(id: string): Promise<TargetActiveEntitlement[]> {
    return this.ofCustomer(id, 'active_entitlements');
  }

  balances(id: string): Promise<TargetBalance[]> {
    return this.ofCustomer(id, 'virtual_currencies', '&include_empty_balances=false');
  }

  /**
   * Whether the key may use a write route. Access is checked before the body, so an empty body is rejected without
   * effect even with permission. @throws HttpRefusal 401 and other answers that do not concern the permission
   */
  async mayPost(name: string): Promise<boolean> {
    try {
      await this.post(name, {}, this.projectBucket);
      return true;
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      if (error.status === 403) return false;
      if (error.status === 400 || error.status === 404 || error.status === 422) return true;
      throw error;
    }
  }

  private post(name: string, body: object, bucket: RateBucket): Promise<Answer> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.http.send({ method: 'POST', path: this.pathOf(name), body, headers, bucket });
  }

  private ofCustomer<T>(id: string, name: string, more = ''): Promise<T[]> {
    return this.every(this.customerPath(id, `/${name}?limit=${MAX_LIST}${more}`), this.customerBucket);
  }

  private pathOf(rest: string): string {
    return `${this.base}/projects/${encodeURIComponent(this.project)}/${rest}`;
  }

  private customerPath(id: string, rest: string): string {
    return this.pathOf(`customers/${encodeURIComponent(id)}${rest}`);
  }

  private async every<T>(first: string, bucket: RateBucket): Promise<T[]> {
    const items: T[] = [];
    for (let path: string | null = first; path !== null;) {
      const page: { items: T[]; nextPage: string | null } = await this.page(path, bucket);
      items.push(...page.items);
      path = page.nextPage;
    }
    return items;
  }

  private async page<T>(path: string, bucket: RateBucket): Promise<{ items: T[]; nextPage: string | null }> {
    const list = await this.http.send({ path, bucket });
    if (!Array.isArray(list.items))
      throw new ImportFailed(`The target's answer to ${path.split('?')[0]} is not a list.`);
    const next = list.next_page;
    return {
      items: list.items as T[],
      nextPage: typeof next === 'string' && next.startsWith('/') ? next : null,
    };
  }
}
