import { chargeRefunds, effectiveFacts, type SubscriptionFacts } from '../../../libs/engine/index.js';
import { shareMicros } from '../../../libs/money/index.js';
import { type MoneyMicros, noMoney, presentMoney } from '../lookups/money.js';
import type { SubscriptionTransactionDto } from './subscription-transaction.dto.js';
import type { SubscriptionTransactionRow } from './subscription-transactions.repository.js';

function moneyOf(
  grossMicros: number | null,
  { commissionBps, taxBps }: SubscriptionTransactionRow,
): MoneyMicros | null {
  if (grossMicros === null) return null;
  return {
    grossMicros,
    commissionMicros: shareMicros(grossMicros, commissionBps),
    taxMicros: shareMicros(grossMicros, taxBps),
  };
}

/** `facts`: the subscription's facts, which contain the refunds. */
export function presentSubscriptionTransaction(
  row: SubscriptionTransactionRow,
  facts: SubscriptionFacts,
): SubscriptionTransactionDto {
  const expiresAtMs = row.expiresAt?.getTime() ?? null;
  const effective = effectiveFacts(facts);
  const { takenOver } = effective;
  const refund = chargeRefunds(effective)[takenOver?.get(row.periodKey) ?? row.periodKey]?.value;
  const local = moneyOf(row.amountMicros, row);
  return {
    object: 'subscription_transaction',
    id: row.id,
    purchased_at: row.purchasedAt.getTime(),
    product_store_identifier: row.storeProductId ?? '',
    revenue_in_local_currency:
      local === null || row.currency === null ? null : presentMoney(row.currency, local),
    revenue_in_usd: presentMoney('USD', moneyOf(row.usdMicros, row) ?? noMoney),
    expiration_date: expiresAtMs,
    effective_expiration_date: refund?.revokedAtMs ?? expiresAtMs,
    refunded_at: refund && refund.kind !== 'family' ? refund.revokedAtMs : null,
  };
}
