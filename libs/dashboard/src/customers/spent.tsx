import type { Schema } from '../api/types.js';
import { Money } from '../ui/format/money.js';

/** Why an amount is unknown. */
export const missingTexts = {
  no_exchange_rate: 'No exchange rate',
  unknown_price: 'Price unknown',
};

interface SpentProps {
  spent: Schema<'DisplayAmountDto'>;
  /** The amount before its conversion. */
  original?: { amount: number; currency: string } | null;
}

/** An amount in the display currency with the original one in small; a dash with the reason if it is unknown. */
export function Spent({ spent: { currency, amount, missing }, original }: SpentProps) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
      <Money amount={amount} currency={currency} />
      {missing && <span className="text-xs text-muted">{missingTexts[missing]}</span>}
      {original && original.amount !== 0 && original.currency !== currency && (
        <span className="text-xs text-muted">
          <Money amount={original.amount} currency={original.currency} />
        </span>
      )}
    </span>
  );
}

interface TotalSpentProps {
  /** Undefined until it is loaded. */
  bought: Schema<'PurchaseRowDto'> | undefined;
  usd: number;
}

/** The amount spent on a purchase, refunds subtracted. */
export function TotalSpent({ bought, usd }: TotalSpentProps) {
  if (!bought) return <Money amount={usd} currency="USD" />;
  return <Spent spent={bought.spent} original={{ amount: usd, currency: 'USD' }} />;
}
