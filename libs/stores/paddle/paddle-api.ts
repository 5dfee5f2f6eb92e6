import { isJsonObject } from '../../kernel/index.js';
import type { CircuitBreaker } from '../circuit-breaker.js';
import { storeFetch } from '../store-fetch.js';
import { paddleFailure, refusal } from './paddle-call-failed.js';
import type { PaddleHistory, PaddleRoot, PaddleSubscription, PaddleTransaction } from './paddle-objects.js';

export type PaddleObject = Record<string, unknown>;

export interface PaddleServices {
  /** Replaces both of Paddle's own addresses; has no path. */
  url: string | null;
  deadlineMs: number;
  breaker: CircuitBreaker;
}

/** `appId` keeps the circuit breaker of each app separate. */
export interface PaddleCaller {
  appId: string;
  apiKey: string;
  isSandbox: boolean;
}

const LIVE_URL = 'https://api.paddle.com';
const SANDBOX_URL = 'https://sandbox-api.paddle.com';

/** Paddle's maximum page size for transactions. */
const TRANSACTIONS_PAGE = 30;
const EVENTS_PAGE = 200;
const PRICES_PAGE = 200;

/** An id becomes part of a path only in this form. */
const ID = /^(?:sub|txn|adj|ctm|pri|pro|evt|ntfset)_[a-z0-9]{26}$/;

export function isPaddleId(text: string, prefix: string): boolean {
  return text.startsWith(`${prefix}_`) && ID.test(text);
}

function ownObject<Shape extends { id: string }>(data: unknown, id: string): Shape {
  if (!isJsonObject(data) || data.id !== id) throw new TypeError(`This is not ${id}.`);
  return data as unknown as Shape;
}

/** `data` of a list, and the id after which the next page starts; null on the last page. */
function pageOf({ data, meta }: PaddleObject): { items: PaddleObject[]; after: string | null } {
  const pagination = isJsonObject(meta) ? meta.pagination : null;
  if (!Array.isArray(data) || !data.every(isJsonObject) || !isJsonObject(pagination)) {
    throw new TypeError('This is not a list of Paddle.');
  }
  const items: PaddleObject[] = data;
  const last = items.at(-1)?.id;
  return { items, after: pagination.has_more === true && typeof last === 'string' ? last : null };
}

/**
 * Client of Paddle's API with one deadline for all calls. Every failure is a `PaddleCallFailed`. Never follows the
 * addresses in Paddle's answers (such as the next page).
 */
export class PaddleApi {
  private readonly url: string;
  private readonly deadline: AbortSignal;

  constructor(
    private readonly caller: PaddleCaller,
    private readonly services: PaddleServices,
  ) {
    this.url = services.url ?? (caller.isSandbox ? SANDBOX_URL : LIVE_URL);
    this.deadline = AbortSignal.timeout(services.deadlineMs);
  }

  /** Reads the subscription with its newest transactions, at most `maxPages` pages of thirty. */
  async history(id: string, maxPages: number): Promise<PaddleHistory> {
    return this.attempt(async () => {
      const subscription = await this.subscription(id);
      const transactions: PaddleTransaction[] = [];
      let after: string | null = null;
      for (let page = 0; page < maxPages; page++) {
        const query: Record<string, string> = {
          subscription_id: id,
          include: 'address,adjustment',
          order_by: 'billed_at[DESC]',
          per_page: String(TRANSACTIONS_PAGE),
          ...(after !== null && { after }),
        };
        const listed = pageOf(await this.get('/transactions', query));
        transactions.push(...(listed.items as unknown as PaddleTransaction[]));
        after = listed.after;
        if (after === null) break;
      }
      return { subscription, transactions, hasMore: after !== null };
    });
  }

  transaction(id: string): Promise<PaddleTransaction> {
    return this.attempt(async () => {
      const { data } = await this.get(`/transactions/${id}`, { include: 'address,adjustment' });
      const transaction = ownObject<PaddleTransaction>(data, id);
      if (!Array.isArray(transaction.items)) throw new TypeError('This is not a transaction.');
      return transaction;
    });
  }

  /** Returns up to 200 events after `after`, oldest first; without it, only the newest. */
  events(after: string | null): Promise<PaddleObject[]> {
    return this.attempt(async () => {
      const query: Record<string, string> =
        after === null
          ? { order_by: 'id[DESC]', per_page: '1' }
          : { order_by: 'id[ASC]', per_page: String(EVENTS_PAGE), after };
      return pageOf(await this.get('/events', query)).items;
    });
  }

  /** A page of the catalog's prices, archived ones included, each with its product. */
  pricesPage(after: string | null): Promise<{ items: PaddleObject[]; next: string | null }> {
    return this.attempt(async () => {
      const query = {
        include: 'product',
        type: 'standard',
        status: 'active,archived',
        order_by: 'id[ASC]',
        per_page: String(PRICES_PAGE),
        ...(after !== null && { after }),
      };
      const { items, after: next } = pageOf(await this.get('/prices', query));
      return { items, next };
    });
  }

  /** Identifies the caller and the key's permissions. */
  root(): Promise<PaddleRoot> {
    return this.attempt(async () => {
      const { data } = await this.get('/');
      const caller = isJsonObject(data) && isJsonObject(data.api) ? data.caller : null;
      if (!isJsonObject(caller) || !Array.isArray(caller.permissions)) {
        throw new TypeError('This is not the API root of Paddle.');
      }
      return data as PaddleRoot;
    });
  }

  /** Makes two harmless reads, for an API whose root is not served. */
  probe(): Promise<void> {
    return this.attempt(async () => {
      await this.get('/event-types');
      await this.get('/subscriptions', { per_page: '1' });
    });
  }

  /** Creates a signed-in page where the customer manages a subscription. */
  portalSession(subscriptionId: string): Promise<string | null> {
    return this.attempt(async () => {
      const { customer_id: customerId } = await this.subscription(subscriptionId);
      if (!isPaddleId(customerId, 'ctm')) throw new TypeError('This is not a customer of Paddle.');
      const body = { subscription_ids: [subscriptionId] };
      const { data } = await this.call('POST', `/customers/${customerId}/portal-sessions`, {}, body);
      const urls = isJsonObject(data) && isJsonObject(data.urls) ? data.urls : null;
      const overview = urls && isJsonObject(urls.general) ? urls.general.overview : null;
      return typeof overview === 'string' && overview.startsWith('https://') ? overview : null;
    });
  }

  private async subscription(id: string): Promise<PaddleSubscription> {
    const { data } = await this.get(`/subscriptions/${id}`);
    const subscription = ownObject<PaddleSubscription>(data, id);
    if (!Array.isArray(subscription.items)) throw new TypeError('This is not a subscription.');
    return subscription;
  }

  private get(path: string, query: Record<string, string> = {}): Promise<PaddleObject> {
    return this.call('GET', path, query);
  }

  private async call(
    method: string,
    path: string,
    query: Record<string, string>,
    body?: object,
  ): Promise<PaddleObject> {
    const { appId, apiKey } = this.caller;
    const search = new URLSearchParams(query).toString();
    const url = `${this.url}${path}${search === '' ? '' : `?${search}`}`;
    const answer = await storeFetch(this.services.breaker, `${this.url} ${appId}`, url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey.trim()}`,
        accept: 'application/json',
        'paddle-version': '1',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: this.deadline,
    });
    const json = answer.jsonOrNull();
    if (!answer.ok) throw refusal(answer, json);
    if (!isJsonObject(json)) throw new TypeError('This is not an answer of Paddle.');
    return json;
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw paddleFailure(error);
    }
  }
}
