import { type SubscriptionFacts, mergeSubscriptionFacts, noSubscriptionFacts } from '../../engine/index.js';
import type { VerifiedPurchase } from '../contract.js';
import type { PlayApi } from './play-api.js';
import { ordersUnread, PlayCallFailed, unclear } from './play-errors.js';
import { isOfOtherPurchase, orderFacts, paidFor } from './order-facts.js';
import { type SubscriptionPurchase, timeOf } from './play-resources.js';
import { subscriptionReport } from './reconciled.js';
import { stateOf } from './subscription-state.js';
import {
  addOnItems,
  baseItem,
  deferredItem,
  latestKeyOf,
  noPlayContext,
  playProductName,
  type SubscriptionReport,
} from './subscription-report.js';

/** Each new purchase names the one it replaced. */
const MAX_LINKS = 10;
/** The payment may follow shortly after the purchase. */
const PAID_AT_ONCE_MS = 3_600_000;

export interface LinkedPurchases {
  tokens: string[];
  purchases: VerifiedPurchase[];
  /** Key of the subscription that the purchase continues; null if it is a new one. */
  continues: string | null;
}

/**
 * Whether a purchase continues an older one is decided only once, so a recent purchase waits until the answer is known.
 */
const PATIENCE_MS = 24 * 3_600_000;

/** Null if Google no longer returns it. @throws PlayCallFailed if the call fails, unless `isPatient` is false */
async function olderPurchase(
  api: PlayApi,
  token: string,
  isPatient: boolean,
): Promise<SubscriptionPurchase | null> {
  try {
    const found = await api.subscription(token);
    if (stateOf(found) === 'OTHER') throw unclear(`the state ${found.subscriptionState}`);
    return baseItem(found).productId === undefined ? null : found;
  } catch (error) {
    const isPassing =
      error instanceof PlayCallFailed && (error.failure === 'unavailable' || error.failure === 'quota');
    if (!(error instanceof PlayCallFailed) || (isPassing && isPatient)) throw error;
    return null;
  }
}

/**
 * Whether a purchase continues its linked one: a plan that starts when the paid time is over, or other add-ons of the
 * same plan. Such a purchase still shows the earlier payment, or its own first payment came later.
 */
function goesOn(
  { token, purchase, orders }: SubscriptionReport,
  before: SubscriptionPurchase | null,
): boolean {
  const item = baseItem(purchase);
  if (item.prepaidPlan !== undefined) return false;
  if (deferredItem(purchase) !== null) return true;
  const latest = orders.find(({ orderId }) => orderId === latestKeyOf(token, purchase));
  if (latest && isOfOtherPurchase(orderFacts(latest), token)) return true;
  const { latestSuccessfulOrderId: paidWith } = item;
  if (before !== null && paidWith !== undefined && paidWith === baseItem(before).latestSuccessfulOrderId)
    return true;
  const isOtherPlan = before !== null && playProductName(baseItem(before)) !== playProductName(item);
  const isBundle = before !== null && [purchase, before].some((one) => addOnItems(one).length > 0);
  const starts = orders
    .filter((order) => paidFor(order, item.productId))
    .map((order) => orderFacts(order, item.productId))
    .flatMap(({ token: payer, startMs }) => (payer === token && startMs !== null ? startMs : []));
  const beganAtMs = timeOf(purchase.startTime);
  if (!(isOtherPlan || isBundle) || starts.length === 0 || beganAtMs === null) return false;
  return Math.min(...starts) > beganAtMs + PAID_AT_ONCE_MS;
}

/**
 * The subscriptions that a purchase replaced, each closed by its successor: only the newest token grants access,
 * although Google still reports older ones as valid. One that Google no longer returns is closed if it is known.
 * Purchases that continue their predecessor are not separate subscriptions.
 * @param unread tokens whose orders could not be read now, filled by `ordersOf`
 * @throws PlayCallFailed if Google does not report what a new purchase continues
 */
export async function linkedPurchases(
  api: PlayApi,
  report: SubscriptionReport,
  ordersOf: (token: string, purchase: SubscriptionPurchase) => Promise<SubscriptionReport['orders']>,
  unread: ReadonlySet<string>,
): Promise<LinkedPurchases> {
  const { atMs } = report;
  const links: {
    successor: SubscriptionReport;
    key: string;
    report: SubscriptionReport | null;
    goesOn: boolean;
  }[] = [];
  for (let successor = report; links.length < MAX_LINKS;) {
    const { linkedPurchaseToken: key } = successor.purchase;
    if (key === undefined || key === report.token || links.some((link) => link.key === key)) break;
    const isPatient = atMs - (timeOf(report.purchase.startTime) ?? 0) < PATIENCE_MS;
    const purchase = await olderPurchase(api, key, isPatient);
    const older = purchase && {
      token: key,
      purchase,
      orders: await ordersOf(key, purchase),
      atMs,
      context: noPlayContext,
    };
    const isSame = goesOn(successor, purchase);
    // The unread orders may show that it continues.
    if (!isSame && isPatient && unread.has(successor.token)) throw ordersUnread();
    links.push({ successor, key, report: older, goesOn: isSame });
    if (older === null) break;
    successor = older;
  }
  /** Returns the first purchase of the subscription at a link. */
  const rootAt = (index: number): string => {
    const end = links.findIndex((link, other) => other > index && !link.goesOn);
    return (end === -1 ? links.at(-1) : links[end - 1])?.key ?? '';
  };
  const purchases = links.map((link, index): VerifiedPurchase => {
    const root = rootAt(index);
    const base = { kind: 'subscription' as const, key: link.key, firstPostStands: false };
    const continued = { ...base, ...(root !== link.key && { continues: root }) };
    const closed = link.goesOn ? noSubscriptionFacts : closedBy(link.successor, link.key);
    if (link.report === null) {
      return {
        ...continued,
        observation: { atMs: closed.replaced?.at ?? 0, facts: closed },
        onlyIfKnown: true,
      };
    }
    const { facts, settle } = subscriptionReport(link.report, root !== link.key, (older) =>
      mergeSubscriptionFacts(older.facts, closed),
    );
    return { ...continued, observation: { atMs, facts }, settle };
  });
  return {
    tokens: links.map(({ key }) => key),
    purchases,
    continues: links[0]?.goesOn ? rootAt(0) : null,
  };
}

function closedBy({ token, purchase, atMs }: SubscriptionReport, key: string): SubscriptionFacts {
  const beganAtMs = Math.min(atMs, timeOf(purchase.startTime) ?? atMs);
  const byProductId = playProductName(baseItem(purchase));
  const value = { byStoreKey: token, atMs: beganAtMs, byProductId, ofKey: key };
  return { ...noSubscriptionFacts, replaced: { at: beganAtMs, src: 'api', value } };
}
