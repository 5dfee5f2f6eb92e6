import {
  type Chain,
  type ChainState,
  deriveChain,
  deriveOneTime,
  type OneTimePurchase,
  type OneTimeState,
  type ResolvedEntitlement,
  resolveEntitlements,
} from '../../libs/engine/index.js';
import type { Catalog, CatalogEntitlement } from '../catalog/catalog.model.js';
import type { ChainRow, OneTimeRow } from '../customers/customer-state.js';

export interface OwnedChain {
  row: ChainRow;
  chain: Chain & { appId: string | null };
  state: ChainState;
}

export interface OwnedOneTime {
  row: OneTimeRow;
  purchase: OneTimePurchase & { appId: string | null };
  state: OneTimeState;
}

/** What a customer has bought, with its state at one moment. */
export interface CustomerPurchases {
  chains: OwnedChain[];
  oneTime: OwnedOneTime[];
  entitlements: ResolvedEntitlement[];
}

/** The database keeps exactly what the engine gave it. */
export function chainOf(row: ChainRow): Chain & { appId: string | null } {
  const { id, appId, store, environment, chainKey, facts, factsAtMs, memory } = row;
  return { id, appId, store, environment, chainKey, facts, factsAtMs, memory } as Chain & {
    appId: string | null;
  };
}

export function oneTimeOf(row: OneTimeRow): OneTimePurchase & { appId: string | null } {
  const { id, appId, store, environment, purchaseKey, facts, factsAtMs, memory } = row;
  return { id, appId, store, environment, purchaseKey, facts, factsAtMs, memory } as OneTimePurchase & {
    appId: string | null;
  };
}

export function ownedChain(row: ChainRow, nowMs: number): OwnedChain {
  const chain = chainOf(row);
  return { row, chain, state: deriveChain(chain.facts, nowMs) };
}

export function ownedOneTime(row: OneTimeRow): OwnedOneTime {
  const purchase = oneTimeOf(row);
  return { row, purchase, state: deriveOneTime(purchase.facts) };
}

/** Entitlements of the product behind a chain. */
export function chainEntitlements(
  catalog: Catalog,
  { chain, state }: OwnedChain,
): readonly CatalogEntitlement[] {
  const product = catalog.productOf(chain.appId, state.storeProductId);
  return product ? catalog.entitlementsOf(product.id) : [];
}

/**
 * Entitlements of the product behind a one-time purchase. A purchase recorded before its product was in the
 * catalog may turn out to be of a subscription: it must not unlock anything for ever.
 */
export function oneTimeEntitlements(catalog: Catalog, owned: OwnedOneTime): readonly CatalogEntitlement[] {
  const product = catalog.productOf(owned.purchase.appId, owned.state.storeProductId);
  return product && product.type !== 'subscription' ? catalog.entitlementsOf(product.id) : [];
}

/** Everything a customer owns at `nowMs`, oldest first: an answer must not depend on how the rows were read. */
export function customerPurchases(
  customer: { chains: ChainRow[]; purchases: OneTimeRow[] },
  catalog: Catalog,
  nowMs: number,
): CustomerPurchases {
  const chains = customer.chains
    .map((row) => ownedChain(row, nowMs))
    .sort((a, b) => a.state.startedAtMs - b.state.startedAtMs || (a.row.id < b.row.id ? -1 : 1));
  const oneTime = customer.purchases
    .map(ownedOneTime)
    .sort((a, b) => a.state.purchasedAtMs - b.state.purchasedAtMs || (a.row.id < b.row.id ? -1 : 1));
  const entitlements = resolveEntitlements(
    chains.map((owned) => ({
      id: owned.chain.id,
      state: owned.state,
      entitlements: chainEntitlements(catalog, owned),
    })),
    oneTime.map((owned) => ({
      id: owned.purchase.id,
      state: owned.state,
      entitlements: oneTimeEntitlements(catalog, owned),
    })),
    nowMs,
  );
  return { chains, oneTime, entitlements };
}
