import { type Adjustment, microsOf, paidOf, type PaddleTransaction, timeOf } from './paddle-objects.js';

export interface MoneyBack {
  /** Total including credits; 0 if all of it was reversed. */
  amountMicros: number;
  /** Refunds and chargebacks add up to the whole payment. */
  isFull: boolean;
  /** Time of the last valid adjustment, else of the last reversal. */
  lastAtMs: number;
}

/** The sign of each action's amount. Warnings move no money. */
const signs: Partial<Record<string, 1 | -1>> = {
  refund: 1,
  chargeback: 1,
  credit: 1,
  refund_reverse: -1,
  chargeback_reverse: -1,
  credit_reverse: -1,
};

const isCredit = ({ action }: Adjustment): boolean => action.startsWith('credit');

/** Excludes pending and rejected adjustments. A reversed one did move money once. */
function moved(transaction: PaddleTransaction): Adjustment[] {
  return (transaction.adjustments ?? []).filter(
    ({ action, status }) => signs[action] !== undefined && (status === 'approved' || status === 'reversed'),
  );
}

/** The total returned of some payments; null if there was never an adjustment. */
export function moneyBack(transactions: PaddleTransaction[]): MoneyBack | null {
  const all = transactions.flatMap(moved);
  if (all.length === 0) return null;
  const standing = all.filter(({ status }) => status === 'approved');
  const sumOf = (adjustments: Adjustment[]): number =>
    adjustments.reduce((sum, { action, totals }) => {
      const micros = microsOf(totals.total, totals.currency_code);
      return sum + (signs[action] ?? 0) * Math.abs(micros);
    }, 0);
  const paidMicros = transactions.reduce((sum, transaction) => sum + paidOf(transaction), 0);
  const amountMicros = Math.max(0, Math.min(paidMicros, sumOf(standing)));
  const refundedMicros = sumOf(standing.filter((adjustment) => !isCredit(adjustment)));
  const lasting = standing.filter(({ action }) => signs[action] === 1);
  const times = (lasting.length > 0 ? lasting : all).map(({ updated_at: at }) => timeOf(at));
  return {
    amountMicros,
    isFull: refundedMicros > 0 && refundedMicros >= paidMicros,
    lastAtMs: Math.max(...times),
  };
}

/** Amounts that partial adjustments returned for single lines, by line id. */
export function namedBack(transaction: PaddleTransaction): ReadonlyMap<string, number> {
  const named = new Map<string, number>();
  const lines = transaction.details?.line_items ?? [];
  for (const { action, status, type, items = [], totals } of moved(transaction)) {
    if (status !== 'approved' || type === 'full') continue;
    for (const { item_id: id, amount, totals: own } of items) {
      const line = lines.find((one) => one.id === id);
      if (id === undefined || !line) continue;
      const micros = microsOf(own?.total ?? amount ?? line.totals.total, totals.currency_code);
      named.set(id, (named.get(id) ?? 0) + (signs[action] ?? 0) * Math.abs(micros));
    }
  }
  return named;
}
