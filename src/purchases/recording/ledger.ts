import type { Environment, LedgerEntry, Store } from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { ToUsd } from '../../platform/exchange-rates/exchange-rates.service.js';
import type { LedgerWrite } from './change-set.js';
import type { SaleCommission } from './sale-commission.js';

const CURRENCY_CODE = /^[A-Z]{3}$/;
const noPrice = { amountMicros: null, currency: null };

export interface LedgerOwner {
  customerId: string;
  subscriptionId: string | null;
  purchaseId: string | null;
  appId: string | null;
  store: Store;
  environment: Environment;
  ownerKey: string;
}

/** Google Play sells each plan of a subscription as a separate product. */
function storeProductOf({ storeProductId, planId }: LedgerEntry, store: Store): string {
  return store === 'play_store' && planId !== null ? `${storeProductId}:${planId}` : storeProductId;
}

/** The price from the store or catalog, with that day's USD rate and commission, so that amounts never change later. */
export function ledgerWrite(
  entry: LedgerEntry,
  owner: LedgerOwner,
  nowMs: number,
  toUsd: ToUsd,
  commission: SaleCommission,
): LedgerWrite {
  const { source, ...price } = entry.price;
  // Without a three-letter currency code (a stablecoin), the price counts as unknown.
  const { amountMicros, currency } = CURRENCY_CODE.test(price.currency ?? 'USD') ? price : noPrice;
  const soldAtMs = entry.rateAtMs ?? entry.purchasedAtMs;
  const day = new Date(soldAtMs).toISOString().slice(0, 10);
  const isKnown = amountMicros !== null && currency !== null;
  const rateCurrency = isKnown ? currency : (entry.rateCurrency ?? null);
  const usd =
    rateCurrency === null ? null : toUsd({ amountMicros: amountMicros ?? 0, currency: rateCurrency, day });
  return {
    ...owner,
    id: newId('transaction', nowMs),
    kind: entry.kind,
    kindSeq: entry.kindSeq,
    periodKey: entry.periodKey,
    storeIds: entry.storeIds,
    storeProductId: storeProductOf(entry, owner.store),
    amountMicros,
    currency,
    usdMicros: isKnown ? (usd?.usdMicros ?? null) : null,
    fxRate: usd?.rate ?? null,
    fxDay: usd?.rateDay ?? null,
    fxSource: usd?.rateSource ?? null,
    commissionBps: commission(soldAtMs),
    isFeeKnown: entry.isFeeKnown ?? false,
    rebooks: entry.rebooks ?? false,
    taxBps: 0,
    quantity: entry.quantity,
    priceSource: source,
    purchasedAtMs: entry.purchasedAtMs,
    expiresAtMs: entry.expiresAtMs,
    periodType: entry.periodType,
    ownership: entry.ownership,
    country: entry.country,
  };
}
