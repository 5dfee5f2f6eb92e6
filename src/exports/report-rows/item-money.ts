import type { ChargedItem, ChargedSubscription } from '../../../libs/engine/index.js';
import { openingKinds } from '../../insights/charts/facts/periods.js';
import { isRefundRow } from '../../insights/charts/facts/refunds.js';
import { grouped } from '../../../libs/kernel/index.js';
import type { SourceLedgerRow } from './report-source.model.js';

/** Money of an item or a charge. Null: unknown. */
export interface ItemMoney {
  /** The row that opened the charge; null for grants, which have no money. */
  opening: SourceLedgerRow | null;
  currency: string | null;
  priceMicros: number | null;
  purchasePriceMicros: number | null;
  usdMicros: number | null;
  purchaseUsdMicros: number | null;
}

const isOpening = ({ kind, kindSeq }: SourceLedgerRow): boolean => openingKinds.has(kind) && kindSeq === 0;

/** The sum of the known amounts. */
function sumOf(rows: readonly SourceLedgerRow[], amountOf: (row: SourceLedgerRow) => number | null): number {
  return rows.reduce((sum, row) => sum + (amountOf(row) ?? 0), 0);
}

/** An amount of zero may have no currency, and so no rate. */
const usdOf = ({ usdMicros, amountMicros }: SourceLedgerRow): number | null =>
  usdMicros ?? (amountMicros === 0 ? 0 : null);

/** The charge and what its store reported later, newest last. */
function chargeRows(opening: SourceLedgerRow, rows: readonly SourceLedgerRow[]): SourceLedgerRow[] {
  const corrections = rows.filter(({ kind }) => kind === 'correction');
  return [opening, ...corrections.sort((a, b) => a.kindSeq - b.kindSeq)];
}

/** Sums the ledger rows of one charge. A correction may have another currency, which then is that of the charge. */
export function chargeMoney(rows: readonly SourceLedgerRow[]): ItemMoney {
  const opening = rows.find(isOpening) ?? rows[0] ?? null;
  const unknown = { priceMicros: null, purchasePriceMicros: null, usdMicros: null, purchaseUsdMicros: null };
  if (!opening) return { opening, currency: null, ...unknown };
  const charge = chargeRows(opening, rows);
  const known = charge.filter(({ amountMicros }) => amountMicros !== null);
  const priced = known.findLast(({ amountMicros }) => amountMicros !== 0) ?? known[0];
  const currency = priced?.currency ?? null;
  const isKnownInUsd = charge.some((row) => usdOf(row) !== null);
  const ofCurrency = rows.filter((row) => row.currency === currency);
  const paid = rows.filter((row) => !isRefundRow(row));
  const amountOf = ({ amountMicros }: SourceLedgerRow): number | null => amountMicros;
  return {
    opening,
    currency,
    priceMicros: currency === null ? null : sumOf(ofCurrency, amountOf),
    purchasePriceMicros:
      currency === null
        ? null
        : sumOf(
            ofCurrency.filter((row) => !isRefundRow(row)),
            amountOf,
          ),
    usdMicros: isKnownInUsd ? sumOf(rows, usdOf) : null,
    purchaseUsdMicros: isKnownInUsd ? sumOf(paid, usdOf) : null,
  };
}

const amounts = ['priceMicros', 'purchasePriceMicros', 'usdMicros', 'purchaseUsdMicros'] as const;

/** Divides the money of a charge among its items. The first one also gets what is no item's price. */
function divided(money: ItemMoney, items: readonly ChargedItem[]): ItemMoney[] {
  const [first, ...others] = items;
  if (!first || others.length === 0) return [money];
  const total = money.purchasePriceMicros ?? 0;
  const rest = { ...money };
  const parts = others.map(({ chargedMicros }) => {
    const share = total === 0 ? 0 : Math.min(1, Math.max(0, (chargedMicros ?? 0) / total));
    const part = { ...money };
    for (const amount of amounts) {
      const whole = money[amount];
      if (whole === null) continue;
      part[amount] = Math.round(whole * share) || 0;
      rest[amount] = (rest[amount] ?? 0) - part[amount];
    }
    return part;
  });
  return [rest, ...parts];
}

/** The item that a ledger row without an item of its own counts with: the latest one paid for before it. */
function nearest(items: readonly ChargedItem[], { purchasedAtMs }: SourceLedgerRow): string | null {
  const before = items.filter(({ startMs, isAddOn }) => !isAddOn && startMs <= purchasedAtMs);
  return (before.at(-1) ?? items[0])?.ledgerKey ?? null;
}

/** The money of each item. Together they have all ledger rows of the subscription. */
export function moneyOfItems(
  { items, ledgerKeys }: Pick<ChargedSubscription, 'items' | 'ledgerKeys'>,
  ledger: readonly SourceLedgerRow[],
): Map<ChargedItem, ItemMoney> {
  const charges = grouped(items, ({ ledgerKey }) => ledgerKey);
  const rows = grouped(ledger, (row) => {
    const key = ledgerKeys.get(row.periodKey) ?? row.periodKey;
    return charges.has(key) ? key : nearest(items, row);
  });
  const found = new Map<ChargedItem, ItemMoney>();
  for (const [key, together] of charges) {
    const money = divided(chargeMoney(rows.get(key) ?? []), together);
    together.forEach((item, index) => found.set(item, money[index] ?? chargeMoney([])));
  }
  return found;
}
