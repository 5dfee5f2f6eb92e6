import type { StoreWorld } from './arrange-store-app.js';
import type { Json } from './api-client.js';

export interface InvoiceFigures {
  /** Events in order, with their prices in the currency of the purchase. */
  prices: [type: string, price: number][];
  /** Kinds and amounts of the ledger rows, sorted. */
  ledger: string[];
  /** Everything that was paid and not returned. */
  paid: number;
  /** Totals of the whole project. */
  mrr: number;
  purchasedAt?: number[];
}

const cents = (amount: number): number => Math.round(amount * 100) / 100 || 0;

/** All figures that the product reports about a customer's money. */
export async function invoiceFigures(
  { backend, path }: Pick<StoreWorld, 'backend' | 'path'>,
  appUserId: string,
  { withTimes = false } = {},
): Promise<InvoiceFigures> {
  const overview = await backend.get(`${path}/metrics/overview`);
  const mrr = (overview.body.metrics as Json[]).find(({ id }) => id === 'mrr')?.value as number;
  const events = await backend.get(`${path}/customers/${appUserId}/events?limit=100`);
  const bodies = ((events.body.items ?? []) as Json[]).map(({ body }) => body);
  bodies.sort((a, b) => a.sequence - b.sequence);
  const rows: Json[] = (await backend.get(`${path}/transactions?limit=1000`)).body.items;
  const own = rows.filter(({ customer_id: id }) => id === appUserId);
  const amounts = own.map(({ price }) => price.amount as number);
  return {
    prices: bodies.map(({ type, price_in_purchased_currency: price }) => [type, cents(price ?? 0)]),
    ledger: own.map(({ kind, price }) => `${kind} ${price.amount}`).sort(),
    paid: cents(amounts.reduce((sum, amount) => sum + amount, 0)),
    mrr,
    ...(withTimes && { purchasedAt: own.map(({ purchased_at: time }) => time as number) }),
  };
}
