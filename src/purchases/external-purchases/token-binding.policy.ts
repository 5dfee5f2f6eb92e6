import type { OutsidePurchase } from '../recording/outside-purchase.js';
import type { BoundBy } from './external-purchase-binding.entity.js';
import type { ExternalPurchaseTokenEntity, ExternalTokenState } from './external-purchase-token.entity.js';

const DAY_MS = 86_400_000;

/** A token that a purchase may belong to. */
export type BindableToken = Pick<
  ExternalPurchaseTokenEntity,
  'id' | 'appId' | 'store' | 'environment' | 'customerId' | 'state'
> & {
  /** According to the store, otherwise when the server received it. */
  atMs: number;
  /** False if there is only an id, which the store cannot be told. */
  hasToken: boolean;
};

export interface Binding {
  purchaseKey: string;
  store: string;
  tokenId: string;
  boundBy: BoundBy;
}

export interface KnownBinding extends Binding {
  /** The app of the token. */
  appId: string;
  isTokenRefused: boolean;
}

/** Whether a binding does not count any more: it was a guess, and the store does not know the token. */
export function isRefusedGuess({ boundBy, isTokenRefused }: KnownBinding): boolean {
  return boundBy === 'newest' && isTokenRefused;
}

/** Why an id that a purchase names was ignored. */
export type IgnoredId = 'unknown_id' | 'other_customer' | 'unusable';

/** Several purchases may use one token: the European ones last for a period. */
const bindable: ReadonlySet<ExternalTokenState> = new Set(['open', 'used', 'reported_empty']);

export function isBindable({ state }: Pick<BindableToken, 'state'>): boolean {
  return bindable.has(state);
}

/** The first token that a purchase names and that can replace the one it is bound to. */
export function namedReplacement(
  { tokenIds, customerId }: Pick<OutsidePurchase, 'tokenIds' | 'customerId'>,
  { appId, tokenId }: Pick<KnownBinding, 'appId' | 'tokenId'>,
  tokens: readonly BindableToken[],
): BindableToken | undefined {
  // Google accepts a token once.
  const isUsable = (token: BindableToken): boolean =>
    token.store === 'google' ? token.state === 'open' : isBindable(token);
  return tokenIds
    .filter((id) => id !== tokenId)
    .flatMap((id) => tokens.find((token) => token.id === id) ?? [])
    .find((token) => token.customerId === customerId && token.appId === appId && isUsable(token));
}

/** Whether a purchase is so old that its customer cannot have used the token for it. */
export function isTooOldFor({ atMs }: Pick<BindableToken, 'atMs'>, boughtAtMs: number): boolean {
  return boughtAtMs < atMs - DAY_MS;
}

/** The earliest time of a token that could be the newest one before a purchase. */
export function newestSinceMs(purchases: readonly Pick<OutsidePurchase, 'boughtAtMs'>[]): number {
  return Math.min(...purchases.map(({ boughtAtMs }) => boughtAtMs)) - DAY_MS;
}

interface BindingQuestion {
  /** Not bound yet. */
  purchases: readonly OutsidePurchase[];
  /** Existing bindings of the subscriptions that some of the purchases were sold with. */
  known: ReadonlyMap<string, Pick<Binding, 'tokenId' | 'boundBy'>>;
  tokens: readonly BindableToken[];
  /** Apps that bind purchases to the only open token of their customer. */
  newestApps: ReadonlySet<string>;
}

export interface BindingDecision {
  bindings: Binding[];
  ignored: IgnoredId[];
}

/** Binds each purchase to the token of the first rule that applies, or to none. */
export function decideBindings({ purchases, known, tokens, newestApps }: BindingQuestion): BindingDecision {
  const bound = new Map(known);
  const used = new Set<string>();
  const decision: BindingDecision = { bindings: [], ignored: [] };
  const isOpen = ({ id, state }: BindableToken): boolean => state === 'open' && !used.has(id);
  const bind = ({ key, store }: OutsidePurchase, tokenId: string, boundBy: BoundBy): void => {
    used.add(tokenId);
    bound.set(key, { tokenId, boundBy });
    decision.bindings.push({ purchaseKey: key, store, tokenId, boundBy });
  };

  const named = (purchase: OutsidePurchase): BindableToken | undefined => {
    for (const id of purchase.tokenIds) {
      const token = tokens.find((one) => one.id === id);
      if (!token) decision.ignored.push('unknown_id');
      else if (token.customerId !== purchase.customerId) decision.ignored.push('other_customer');
      else if (!isBindable(token)) decision.ignored.push('unusable');
      else return token;
    }
    return undefined;
  };

  const onlyOpen = ({ customerId, environment, boughtAtMs }: OutsidePurchase): BindableToken | undefined => {
    const open = tokens.filter(
      (token) =>
        isOpen(token) &&
        token.hasToken &&
        token.customerId === customerId &&
        token.environment === environment &&
        token.atMs <= boughtAtMs &&
        !isTooEarly(token, boughtAtMs),
    );
    const [first, second] = open;
    return second === undefined && first !== undefined && newestApps.has(first.appId) ? first : undefined;
  };

  // A purchase sold with a subscription has its token, so the subscription is decided first.
  for (const purchase of [...purchases].sort(
    (a, b) => Number(a.soldWith !== null) - Number(b.soldWith !== null),
  )) {
    const together = purchase.soldWith === null ? undefined : bound.get(purchase.soldWith);
    const own = together ? undefined : named(purchase);
    const newest = together || own ? undefined : onlyOpen(purchase);
    if (together) bind(purchase, together.tokenId, together.boundBy);
    else if (own) bind(purchase, own.id, 'id');
    else if (newest) bind(purchase, newest.id, 'newest');
  }
  return decision;
}

function isTooEarly({ atMs }: BindableToken, boughtAtMs: number): boolean {
  return atMs < boughtAtMs - DAY_MS;
}
