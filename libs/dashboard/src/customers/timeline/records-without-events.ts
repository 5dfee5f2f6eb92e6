import type { Schema } from '../../api/types.js';
import type { Source } from '../customers.queries.js';
import type { TimelineEvent } from './days-of-events.js';
import type { DescribedEvent } from './describe-event.js';
import type { Transaction } from '../purchases/purchases.queries.js';

/** A payment, refund or end of access without an event, or an import. */
export interface TimelineRecord extends DescribedEvent {
  id: string;
  occurred_at: number;
  environment: 'production' | 'sandbox' | null;
  /** Whether the previous system reported it during an import. */
  isImported: boolean;
}

interface KnownHistory {
  /** All loaded events, newest first. */
  events: readonly TimelineEvent[];
  /** Whether older events can still be loaded. */
  hasOlderEvents: boolean;
  transactions: readonly Transaction[];
  subscriptions: readonly Schema<'PurchaseRowDto'>[];
  sources: readonly Source[];
}

type Description = Pick<DescribedEvent, 'sentence' | 'kind' | 'tone'>;

const descriptions: Record<string, (product: string) => Description> = {
  purchase: (product) => ({ sentence: `Bought ${product}`, kind: 'payments', tone: 'good' }),
  one_time: (product) => ({ sentence: `Bought ${product}`, kind: 'payments', tone: 'good' }),
  trial: (product) => ({ sentence: `Started a trial of ${product}`, kind: 'payments', tone: 'good' }),
  renewal: (product) => ({ sentence: `Renewed ${product}`, kind: 'payments', tone: 'good' }),
  refund: (product) => ({ sentence: `Refunded ${product}`, kind: 'payments', tone: 'bad' }),
};

const ends: Record<string, (product: string) => string> = {
  expired: (product) => `${product} expired`,
  in_billing_retry: (product) => `${product} stopped giving access: the charge failed`,
  paused: (product) => `${product} stopped giving access: it is paused`,
};

const SAME_END_MS = 60_000;

const text = (body: object, field: string) => (body as Record<string, unknown>)[field];
const isRefundEvent = ({ type }: TimelineEvent) => type === 'CANCELLATION' || type === 'REFUND_REVERSED';

function paymentRecords({ transactions, events }: KnownHistory): TimelineRecord[] {
  const namedBy = (wanted: boolean) =>
    new Set(
      events
        .filter((event) => isRefundEvent(event) === wanted)
        .map(({ body }) => text(body, 'transaction_id')),
    );
  const [charged, refunded] = [namedBy(false), namedBy(true)];
  return transactions.flatMap((row) => {
    const described = descriptions[row.kind]?.(row.product_identifier ?? 'a purchase');
    const named = row.kind === 'refund' ? refunded : charged;
    if (!described || named.has(row.store_transaction_id)) return [];
    const { price } = row;
    return {
      ...described,
      id: row.id,
      occurred_at: row.purchased_at,
      environment: row.environment,
      money: price && price.amount !== 0 ? price : null,
      isImported: row.price_source === 'import',
    };
  });
}

function endRecords(
  { subscriptions, sources, events, transactions }: KnownHistory,
  nowMs: number,
): TimelineRecord[] {
  return subscriptions.flatMap(({ id, status, store, ends_at: endMs, product_identifier, environment }) => {
    const sentence = store === 'promotional' ? 'Grant ended' : ends[status]?.(product_identifier);
    if (sentence === undefined || endMs === null || endMs > nowMs) return [];
    const isEnd = (ms: number) => Math.abs(ms - endMs) <= SAME_END_MS;
    const hasEvent = events.some(({ type, occurred_at: at }) => type === 'EXPIRATION' && isEnd(at));
    const isRefund = transactions.some(({ kind, purchased_at: at }) => kind === 'refund' && isEnd(at));
    if (hasEvent || isRefund) return [];
    const origin = sources.find((source) => source.id === id)?.imported_at ?? null;
    return {
      id: `${id} end`,
      sentence,
      kind: 'problems',
      tone: 'warn',
      money: null,
      occurred_at: endMs,
      environment: environment as TimelineRecord['environment'],
      isImported: origin !== null,
    };
  });
}

function importRecords({ sources }: KnownHistory): TimelineRecord[] {
  const times = new Set(sources.flatMap(({ imported_at: at }) => at ?? []));
  return [...times].map((at) => ({
    id: `import ${at}`,
    sentence: 'Imported into this project',
    kind: 'other',
    tone: 'neutral',
    money: null,
    occurred_at: at,
    environment: null,
    isImported: true,
  }));
}

/**
 * Returns the records that no event reports: imported history, and payments before the first event.
 * Newest first, and not older than the loaded events.
 */
export function recordsWithoutEvents(known: KnownHistory, nowMs: number): TimelineRecord[] {
  const { events, hasOlderEvents } = known;
  const oldestMs = Math.min(...events.map(({ occurred_at: at }) => at));
  const isShown = ({ isImported, occurred_at: at }: TimelineRecord) =>
    hasOlderEvents ? isImported && at >= oldestMs : isImported || at < oldestMs;
  return [...paymentRecords(known), ...endRecords(known, nowMs), ...importRecords(known)]
    .filter(isShown)
    .sort((a, b) => b.occurred_at - a.occurred_at || (a.id < b.id ? 1 : -1));
}
