import type { LedgerEntry, Return } from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type {
  Catalog,
  CatalogCurrency,
  CatalogProduct,
  CurrencyGrant,
} from '../../catalog/snapshot/catalog.model.js';
import type { NewLot } from './balances.repository.js';
import type { CurrencyEventContext } from '../../webhooks/events/currency-event-body.js';

export interface CurrencyCredit extends NewLot {
  sourceKey: string;
}

/** A refund revokes `part` of `whole` of a purchase's credits, in total. */
export interface CurrencyReturn {
  sourceKey: string;
  part: number;
  whole: number;
}

export interface RevokedCurrency {
  customerId: string;
  sourceKey: string;
  /** Id of the currency transaction, one for all currencies of a refund. */
  transactionId: string;
  code: string;
  /** Greater than zero. */
  amount: number;
}

export interface CreditedPurchase {
  customerId: string;
  appId: string | null;
  store: CurrencyEventContext['store'];
  environment: CurrencyEventContext['environment'];
  /** Subscription or purchase key. */
  ownerKey: string;
}

/** A permanent key of the currency credited with a period or a one-time purchase. */
export function currencySource(
  { store, environment, ownerKey }: Pick<CreditedPurchase, 'store' | 'environment' | 'ownerKey'>,
  periodKey: string,
): string {
  return `${store}:${environment}:${ownerKey}:${periodKey}`;
}

export interface PurchaseReturn extends CurrencyReturn {
  back: Return;
  purchase: CreditedPurchase;
}

export function returnEvent(
  { back, purchase }: PurchaseReturn,
  revoked: RevokedCurrency[],
  catalog: Catalog,
): CurrencyEventContext {
  const { appId, store, environment } = purchase;
  const { storeProductId, planId, storeTransactionId, country } = back;
  return {
    appId,
    store,
    environment,
    country,
    storeProductId,
    productDisplayName: catalog.productOf(appId, storeProductId, planId)?.displayName ?? null,
    storeTransactionId,
    transactionId: revoked[0]?.transactionId ?? '',
    adjustments: revoked.map(({ code, amount }) => {
      const currency = catalog.currencies.find((known) => known.code === code);
      const { name = code, description = null } = currency ?? {};
      return { amount: -amount, currency: { code, name, description } };
    }),
  };
}

export interface PurchaseCredit {
  credits: CurrencyCredit[];
  /** Permanent and unique, so that an entry never credits twice. */
  sourceKey: string;
  event: CurrencyEventContext;
}

const crediting: ReadonlySet<LedgerEntry['kind']> = new Set([
  'purchase',
  'trial_start',
  'renewal',
  'one_time',
]);

function amountOf({ kind, quantity }: LedgerEntry, { amount, trialAmount }: CurrencyGrant): number {
  if (kind === 'trial_start') return trialAmount;
  return kind === 'one_time' ? amount * quantity : amount;
}

function expiryOf(entry: LedgerEntry, { expireAtCycleEnd }: CurrencyGrant): number | null {
  const isPaidPeriod = entry.kind === 'purchase' || entry.kind === 'renewal';
  return isPaidPeriod && expireAtCycleEnd ? entry.expiresAtMs : null;
}

/** The credit for a ledger entry; null if its product grants none or the customer did not buy it. */
export function currencyCredit(
  entry: LedgerEntry,
  purchase: CreditedPurchase,
  catalog: Catalog,
  nowMs: number,
): PurchaseCredit | null {
  const product = catalog.productOf(purchase.appId, entry.storeProductId, entry.planId);
  if (!product || !crediting.has(entry.kind) || entry.ownership !== 'purchased') return null;
  const granted = catalog
    .currencyGrantsOf(product.id)
    .map(({ currency, grant }) => ({ currency, grant, amount: amountOf(entry, grant) }))
    .filter(({ amount }) => amount > 0);
  if (granted.length === 0) return null;
  const id = newId('currencyTransaction', nowMs);
  const { customerId } = purchase;
  const sourceKey = currencySource(purchase, entry.periodKey);
  return {
    sourceKey,
    credits: granted.map(({ currency, grant, amount }) => ({
      customerId,
      id,
      code: currency.code,
      amount,
      expiresAtMs: expiryOf(entry, grant),
      sourceKey,
    })),
    event: creditEvent(entry, purchase, product, id, granted),
  };
}

function creditEvent(
  entry: LedgerEntry,
  { appId, store, environment }: CreditedPurchase,
  product: CatalogProduct,
  transactionId: string,
  granted: { currency: CatalogCurrency; amount: number }[],
): CurrencyEventContext {
  return {
    appId,
    store,
    environment,
    country: entry.country,
    storeProductId: entry.storeProductId,
    productDisplayName: product.displayName,
    storeTransactionId: entry.storeIds[0] ?? '',
    transactionId,
    adjustments: granted.map(({ amount, currency: { code, name, description } }) => ({
      amount,
      currency: { code, name, description },
    })),
  };
}
