import type { TimelineEvent } from './days-of-events.js';
import { recordsWithoutEvents } from './records-without-events.js';

type Known = Parameters<typeof recordsWithoutEvents>[0];

const event = (type: string, at: number, transaction: string): TimelineEvent => ({
  object: 'customer.event',
  id: `e${at}`,
  app_id: null,
  type,
  body: { transaction_id: transaction },
  occurred_at: at,
  created_at: at,
});
const payment = (kind: string, at: number, id: string, source = 'import') =>
  ({
    id: `txn ${kind} ${id}`,
    kind,
    purchased_at: at,
    store_transaction_id: id,
    product_identifier: 'pro',
    environment: 'production',
    price: { amount: 9.99, currency: 'USD' },
    price_source: source,
  }) as Known['transactions'][number];
const subscription = (more: object = {}) =>
  ({
    id: 'sub',
    product_identifier: 'pro',
    store: 'app_store',
    status: 'expired',
    ends_at: 60,
    environment: 'production',
    ...more,
  }) as Known['subscriptions'][number];
const source = (importedAt: number | null) =>
  ({ id: 'sub', imported_at: importedAt }) as Known['sources'][number];

const sentences = (known: Partial<Known>) =>
  recordsWithoutEvents(
    { events: [], hasOlderEvents: false, transactions: [], subscriptions: [], sources: [], ...known },
    1_000_000_000,
  ).map(({ sentence, isImported }) => `${sentence}${isImported ? ', imported' : ''}`);

describe('what happened to a customer without an event', () => {
  it('lists the imported history, newest first', () => {
    expect(
      sentences({
        transactions: [payment('renewal', 30, 'b'), payment('purchase', 10, 'a')],
        subscriptions: [subscription()],
        sources: [source(90)],
      }),
    ).toEqual([
      'Imported into this project, imported',
      'pro expired, imported',
      'Renewed pro, imported',
      'Bought pro, imported',
    ]);
  });

  it('leaves out what an event reports', () => {
    const events = [event('EXPIRATION', 60, 'b'), event('RENEWAL', 30, 'b')];
    const transactions = [payment('renewal', 30, 'b'), payment('purchase', 10, 'a')];
    expect(sentences({ events, transactions, subscriptions: [subscription()] })).toEqual([
      'Bought pro, imported',
    ]);
  });

  it('reports a refund although an event reports the payment, and no second end with it', () => {
    const transactions = [payment('refund', 60, 'a'), payment('purchase', 10, 'a')];
    const events = [event('INITIAL_PURCHASE', 10, 'a')];
    expect(sentences({ events, transactions, subscriptions: [subscription()] })).toEqual([
      'Refunded pro, imported',
    ]);
  });

  it('adds payments of a store only from before the first event', () => {
    const transactions = [payment('renewal', 30, 'b', 'store'), payment('purchase', 10, 'a', 'store')];
    expect(sentences({ transactions, events: [event('CANCELLATION', 20, 'x')] })).toEqual(['Bought pro']);
    expect(sentences({ transactions })).toEqual(['Renewed pro', 'Bought pro']);
  });

  it('waits with older records until older events are loaded', () => {
    const transactions = [payment('renewal', 30, 'b'), payment('purchase', 10, 'a')];
    const events = [event('CANCELLATION', 20, 'x')];
    expect(sentences({ transactions, events, hasOlderEvents: true })).toEqual(['Renewed pro, imported']);
  });
});
