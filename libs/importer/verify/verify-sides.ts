import type { ImportEnvironment } from '../command/settings.js';
import { HttpRefusal } from '../http/http-client.js';
import type { SourceApi } from '../source/source-api.js';
import type { TargetApi } from '../target/target-api.js';
import type { VerifySide, VerifyTarget } from './customer-checker.js';
import type { AccessSubscription, CustomerState } from './verify.model.js';
import { walkedIds } from './walked-ids.js';

const PAGE_SIZE = 100;

export interface SideOptions {
  /** Maps entitlement ids to lookup keys, because the ids differ between the sides. */
  entitlementKeys: ReadonlyMap<string, string>;
  environment: ImportEnvironment;
  deep: boolean;
  warn: (message: string) => void;
}

/** The lists of one customer, in the form that both sides return. */
interface CustomerLists {
  activeEntitlements(id: string): Promise<{ entitlement_id: string; expires_at?: number | null }[]>;
  subscriptions(id: string): Promise<SideSubscription[]>;
  purchases(id: string): Promise<{ status: string; environment: string }[]>;
  balances(id: string): Promise<{ currency_code: string; balance: number }[]>;
}

interface SideSubscription {
  id: string;
  gives_access: boolean;
  environment: string;
  store_subscription_identifier: string;
  store?: string;
  current_period_ends_at?: number | null;
  ends_at?: number | null;
}

export function entitlementKeys(
  entitlements: readonly { id: string; lookup_key: string }[],
): Map<string, string> {
  return new Map(entitlements.map(({ id, lookup_key }) => [id, lookup_key]));
}

/** Null if the customer no longer exists. */
async function customerState(
  lists: CustomerLists,
  id: string,
  ownId: string,
  options: SideOptions,
): Promise<CustomerState | null> {
  const { deep, environment } = options;
  const isCompared = (item: { environment: string }) =>
    environment === 'both' || item.environment === environment;
  try {
    const [entitlements, subscriptions, purchases, balances] = await Promise.all([
      lists.activeEntitlements(id),
      lists.subscriptions(id),
      deep ? lists.purchases(id) : null,
      deep ? lists.balances(id) : null,
    ]);
    return {
      id: ownId,
      entitlements: new Map(
        entitlements.map(({ entitlement_id, expires_at }) => [
          options.entitlementKeys.get(entitlement_id) ?? entitlement_id,
          expires_at ?? null,
        ]),
      ),
      accessSubscriptions: subscriptions
        .filter((each) => each.gives_access && isCompared(each))
        .map(accessOf),
      held: subscriptions.flatMap(heldOf),
      ownedPurchases:
        purchases && purchases.filter((each) => each.status === 'owned' && isCompared(each)).length,
      balances: balances && new Map(balances.map(({ currency_code, balance }) => [currency_code, balance])),
    };
  } catch (error) {
    if (error instanceof HttpRefusal && error.status === 404) return null;
    throw error;
  }
}

function accessOf({ id, environment, store_subscription_identifier }: SideSubscription): AccessSubscription {
  return {
    id,
    storeIdentifier: store_subscription_identifier,
    environment: environment === 'sandbox' ? 'sandbox' : 'production',
  };
}

function heldOf({
  store,
  gives_access: givesAccess,
  current_period_ends_at: fromMs = null,
  ends_at: untilMs = null,
}: SideSubscription): CustomerState['held'] {
  const isHeld = store === 'play_store' && givesAccess && fromMs !== null && untilMs !== null;
  return isHeld && untilMs > fromMs ? [{ fromMs, untilMs }] : [];
}

export class SourceSide implements VerifySide {
  private readonly lists: CustomerLists;

  constructor(
    private readonly api: SourceApi,
    private readonly project: string,
    private readonly options: SideOptions,
  ) {
    this.lists = {
      activeEntitlements: (id) => api.activeEntitlements(project, id),
      subscriptions: (id) => api.subscriptions(project, id),
      purchases: (id) => api.purchases(project, id),
      balances: (id) => api.balances(project, id),
    };
  }

  listedIds(): AsyncIterable<string> {
    return walkedIds((page) => this.api.customersPage(this.project, page, PAGE_SIZE), this.options.warn);
  }

  async customer(id: string, isListed: boolean): Promise<CustomerState | null> {
    const ownId = isListed ? id : (await this.api.customer(this.project, id))?.id;
    return ownId === undefined ? null : customerState(this.lists, id, ownId, this.options);
  }
}

export class TargetSide implements VerifyTarget {
  constructor(
    private readonly api: TargetApi,
    private readonly options: SideOptions,
  ) {}

  listedIds(): AsyncIterable<string> {
    return walkedIds((page) => this.api.customersPage(page, PAGE_SIZE), this.options.warn);
  }

  async customer(id: string, isListed: boolean): Promise<CustomerState | null> {
    const ownId = isListed ? id : await this.ownerOf(id);
    return ownId === null ? null : customerState(this.api, id, ownId, this.options);
  }

  async ownerOf(id: string): Promise<string | null> {
    return (await this.api.customer(id))?.id ?? null;
  }

  async subscriptionOf(storeIdentifier: string): Promise<string | null> {
    const query = `store_subscription_identifier=${encodeURIComponent(storeIdentifier)}&limit=1`;
    const { items } = await this.api.get(`subscriptions?${query}`);
    const [found] = Array.isArray(items) ? (items as { id: string }[]) : [];
    return found?.id ?? null;
  }
}
