import {
  effectiveFacts,
  noSubscriptionFacts,
  type SubscriptionFacts,
} from '../../../../libs/engine/index.js';
import { isOf } from '../../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow, SubscriptionRow } from '../../../customers/customers/identity/customer-state.js';
import {
  baseOrderOf,
  keyStateOf,
  tokenNeededKey,
} from '../../../customers/customers/customer-info/unconfirmed-keys.js';
import type { Found } from '../import-scope.js';
import type { ImportedSubscriptionDto } from '../imported-subscription.dto.js';
import type { ReadSubscription } from './imported-subscription.policy.js';

/** Finds the stored subscription of an item by its key or by any id of its payments. */
export function storedSubscription(
  read: ReadSubscription,
  item: ImportedSubscriptionDto,
  customer: CustomerRow,
  customers: readonly CustomerRow[],
): Found<SubscriptionRow> | undefined {
  const ids = new Set([
    ...read.names,
    ...Object.values(read.facts.imported?.periods ?? {}).map(({ value }) => value.storeTransactionId),
  ]);
  const bases = new Set([...ids].map(baseOrderOf));
  const all = [customer, ...customers.filter((row) => row !== customer)].flatMap((owner) =>
    owner.subscriptions.filter((row) => isOf(row, read)).map((row) => ({ row, owner })),
  );
  const isApple = read.store === 'app_store' || read.store === 'mac_app_store';
  const isPlay = read.store === 'play_store';
  return (
    all.find(({ row }) => row.storeKey === read.storeKey) ??
    (isPlay ? all.find(({ row }) => [...bases].some((base) => isOfOrder(row, base))) : undefined) ??
    (isApple ? all.find(({ row }) => idsOf(row).some((id) => ids.has(id))) : undefined) ??
    (isPlay && item.purchase_token !== undefined ? waitingOf(read, item, customer) : undefined)
  );
}

/** A token without its order belongs to the only subscription to the same product that waits for a token. */
function waitingOf(
  read: ReadSubscription,
  { app_id: appId, product_identifier: product }: ImportedSubscriptionDto,
  owner: CustomerRow,
): Found<SubscriptionRow> | undefined {
  const [row, ...others] = owner.subscriptions.filter(
    (one) =>
      isOf(one, read) &&
      one.appId === appId &&
      keyStateOf(one) === 'token_needed' &&
      Object.values(effectiveFacts(one.facts as SubscriptionFacts).periods).some(
        ({ value }) => value.storeProductId === product?.split(':')[0],
      ),
  );
  return row && others.length === 0 ? { row, owner } : undefined;
}

function idsOf({ facts }: SubscriptionRow): string[] {
  const { periods, imported } = facts as SubscriptionFacts;
  return [...Object.values(periods), ...Object.values(imported?.periods ?? noSubscriptionFacts.periods)].map(
    ({ value }) => value.storeTransactionId,
  );
}

/** Whether a subscription has an order with the same base. Renewals only append a number to it. */
function isOfOrder(row: SubscriptionRow, base: string): boolean {
  return (
    row.storeKey === tokenNeededKey(base) ||
    idsOf(row).some((id) => baseOrderOf(id) === base && id.startsWith('GPA'))
  );
}

/** The key of a known subscription after the item is added: the item's if it is better, else the current one. */
export function keyAfter(known: SubscriptionRow, read: ReadSubscription): string {
  const state = keyStateOf(known);
  const isBetter =
    state === 'token_needed'
      ? keyStateOf(read) === null
      : state === 'guessed' && read.facts.imported?.guessed?.value === false;
  return isBetter ? read.storeKey : known.storeKey;
}

/** Whether the import contains a later period than the store's last report. */
export function isNewerThanStore({ periods, imported }: SubscriptionFacts): boolean {
  const latest = (all: SubscriptionFacts['periods']): number =>
    Math.max(-Infinity, ...Object.values(all).map(({ value }) => value.startMs));
  return Object.keys(periods).length > 0 && latest(imported?.periods ?? {}) > latest(periods);
}
