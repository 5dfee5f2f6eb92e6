import { Injectable } from '@nestjs/common';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ImportedFields } from '../../customers/customers/identity/customers.repository.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { addAlias } from '../../purchases/recording/apply-purchases.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import {
  CurrencyImportsService,
  type ImportedBalance,
} from '../../purchases/currencies/currency-imports.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { StoreRefreshesService } from '../../stores/shared/store-refreshes.service.js';
import { addAttributes } from './imported-attributes.js';
import type { ResolvedIdentities, ResolvedItem } from './identities/import-identities.service.js';
import { ImportResolver } from './import-resolver.js';
import type { ImportScope } from './import-scope.js';
import { OneTimeImports } from './purchases/one-time-imports.js';
import { SubscriptionImports } from './purchases/subscription-imports.js';

const SPREAD_MS = 6 * 3_600_000;
/** An import of all subscribers must not flood webhook receivers. */
const MAX_EVENTS_PER_SECOND = 50;
const askedStores: ReadonlySet<string> = new Set([
  'app_store',
  'mac_app_store',
  'paddle',
  'play_store',
  'stripe',
  'amazon',
]);

export interface ItemCounts {
  subscriptions: number;
  purchases: number;
  /** Ids of the subscriptions that the item names. */
  recorded: ReadonlySet<string>;
}

interface ItemImports {
  subscriptions: SubscriptionImports;
  purchases: OneTimeImports;
}

/** Records an import's data about customers that are locked and already have their ids. */
@Injectable()
export class ImportRecorder {
  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly balances: CurrencyImportsService,
    private readonly refreshes: StoreRefreshesService,
    private readonly resolver: ImportResolver,
  ) {}

  async record(
    tx: Transaction,
    resolved: ResolvedIdentities,
    scope: ImportScope,
    requestId: string,
  ): Promise<ItemCounts[]> {
    const { catalog, nowMs } = scope;
    const { projectId } = catalog;
    const fields: ImportedFields[] = [];
    const { result } = await this.recorder.record(
      tx,
      { catalog, nowMs, preparesAnswers: false, maxEventsPerSecond: MAX_EVENTS_PER_SECOND },
      (change) => {
        this.addJoined(change, resolved, scope, requestId);
        const imports: ItemImports = {
          subscriptions: new SubscriptionImports(change, scope, resolved.customers),
          purchases: new OneTimeImports(change, scope, resolved.customers),
        };
        const counts = resolved.items.map((item) => this.addItem(change, imports, item, scope, fields));
        return { counts, polled: imports.subscriptions.polled };
      },
    );
    await this.customers.setImported(tx, projectId, fields);
    await this.customers.recordActiveDays(tx, projectId, lastContacts(resolved.items, nowMs));
    await this.balances.move(tx, projectId, balancesOf(resolved.items, scope), nowMs);
    await this.poll(tx, scope, result.polled);
    return result.counts;
  }

  private addJoined(
    change: ChangeBuilder,
    { joined, touched }: ResolvedIdentities,
    { emits, nowMs }: ImportScope,
    requestId: string,
  ): void {
    for (const customer of touched) change.touch(customer);
    if (!emits) return;
    for (const [customer, ids] of joined) {
      for (const id of ids) addAlias(change, { appId: null, requestId }, customer, id, nowMs);
    }
  }

  private addItem(
    change: ChangeBuilder,
    imports: ItemImports,
    { item, customer, notes }: ResolvedItem,
    scope: ImportScope,
    fields: ImportedFields[],
  ): ItemCounts {
    if (!customer) return { subscriptions: 0, purchases: 0, recorded: new Set() };
    const isSeen = seen(customer, item);
    const imported = fieldsOf(customer, item, scope, notes);
    if (imported) fields.push(imported);
    if (isSeen || imported) change.touch(customer);
    addAttributes(change, customer, item.attributes ?? [], scope.nowMs, notes);
    const before = new Set(imports.subscriptions.recorded);
    const count = <Item>(
      items: Item[] | undefined,
      name: string,
      add: (one: Item, path: string) => boolean,
    ): number => (items ?? []).filter((one, index) => add(one, `${name}.${index}`)).length;
    const subscriptions = count(item.subscriptions, 'subscriptions', (one, path) =>
      imports.subscriptions.add(one, { customer, path, notes }),
    );
    const oneTime = count(item.purchases, 'purchases', (one, path) =>
      imports.purchases.add(one, { customer, path, notes }),
    );
    const recorded = new Set([...imports.subscriptions.recorded].filter((id) => !before.has(id)));
    return { subscriptions, purchases: oneTime, recorded };
  }

  /** Schedules one refresh of each open subscription, spread over time. */
  private async poll(
    tx: Transaction,
    scope: ImportScope,
    polled: SubscriptionImports['polled'],
  ): Promise<void> {
    const { catalog, nowMs, asksStores } = scope;
    const askable = polled.filter(
      ({ row }) => askedStores.has(row.store) && catalog.storeCanBeAsked(row.appId),
    );
    const confirmed = askable.filter(({ row }) => keyStateOf(row) === null);
    await this.refreshes.requestIn(
      tx,
      catalog.projectId,
      confirmed.map(({ row, isOutdated }) => ({
        appId: row.appId ?? '',
        environment: row.environment as 'production' | 'sandbox',
        key: row.storeKey,
        dueAtMs: isOutdated ? nowMs : nowMs + Math.floor(Math.random() * SPREAD_MS),
      })),
    );
    const left = askable.filter(({ row }) => keyStateOf(row) !== null);
    if (!asksStores || left.length === 0) return;
    await this.resolver.later(
      tx,
      catalog.projectId,
      left.map(({ row, startedAtMs, isUnknown }) => ({
        isUnknown,
        id: row.id,
        appId: row.appId ?? '',
        environment: row.environment,
        startedAtMs,
      })),
    );
  }
}

function balancesOf(items: ResolvedItem[], { catalog }: ImportScope): ImportedBalance[] {
  return items.flatMap(({ item, customer, notes }) =>
    Object.entries(item.virtual_currencies ?? {}).flatMap(([code, stated]) => {
      if (!customer) return [];
      if (catalog.currencies.some((currency) => currency.code === code)) {
        return { customerId: customer.id, sourceId: item.id, code, stated: Number(stated) };
      }
      notes.add(`virtual_currencies.${code}`, 'omitted: there is no such currency');
      return [];
    }),
  );
}

function lastContacts(items: ResolvedItem[], nowMs: number): { customerId: string; atMs: number }[] {
  return items.flatMap(({ item: { last_seen_at: atMs }, customer }) =>
    customer && typeof atMs === 'number' && atMs <= nowMs ? [{ customerId: customer.id, atMs }] : [],
  );
}

/** Applies earlier first-seen or later last-seen times of the import. Returns true if there were any. */
function seen(
  customer: CustomerRow,
  { first_seen_at: first, last_seen_at: last }: ResolvedItem['item'],
): boolean {
  const isEarlier = first !== undefined && first < customer.firstSeenAtMs;
  const isLater = typeof last === 'number' && last > (customer.lastSeenAtMs ?? -1);
  if (isEarlier) customer.firstSeenAtMs = first;
  if (isLater) customer.lastSeenAtMs = last;
  return isEarlier || isLater;
}

/** Columns to update; null if none change. */
function fieldsOf(
  customer: CustomerRow,
  item: ResolvedItem['item'],
  { catalog }: ImportScope,
  notes: ResolvedItem['notes'],
): ImportedFields | null {
  const version = customer.originalApplicationVersion ?? item.original_application_version ?? null;
  const purchaseAtMs = customer.originalPurchaseAtMs ?? item.original_purchase_date ?? null;
  const { offering_override: name } = item;
  const offering = typeof name === 'string' ? catalog.findOffering(name) : undefined;
  if (typeof name === 'string' && !offering) notes.add('offering_override', `there is no offering "${name}"`);
  const isOther =
    version !== customer.originalApplicationVersion || purchaseAtMs !== customer.originalPurchaseAtMs;
  if (!isOther && !offering) return null;
  customer.originalApplicationVersion = version;
  customer.originalPurchaseAtMs = purchaseAtMs;
  return {
    id: customer.id,
    originalApplicationVersion: version,
    originalPurchaseAtMs: purchaseAtMs,
    setsOffering: offering !== undefined,
    offeringId: offering?.id ?? null,
  };
}
