import { type KeyedPeriod, orderedPeriods } from './derive-chain.js';
import type { Chain, ChainMemory, ChainState, EndReason, EngineEvent, Price } from './model.js';

/** Older periods found at first sight go into the history, but nobody is woken for them. */
const SUPPRESS_AFTER_MS = 24 * 3_600_000;

/** Stores without a later word: the end of the period is the end. The others may still report a renewal. */
const endsWithoutConfirmation = new Set<string>(['test_store', 'promotional']);

export const noMemory: ChainMemory = {
  opened: [],
  accessOpen: false,
  unsubscribeOpen: false,
  expirations: {},
};

function freePrice(currency: string | null): Price {
  return { amountMicros: 0, currency, source: 'store' };
}

function eventAbout(
  chain: Pick<Chain, 'id' | 'store'>,
  state: ChainState,
  period: KeyedPeriod,
  event: Pick<EngineEvent, 'type' | 'dedupeKey' | 'occurredAtMs' | 'price'> & Partial<EngineEvent>,
): EngineEvent {
  return {
    delivery: 'send',
    storeProductId: period.storeProductId,
    planId: period.planId,
    periodType: chain.store === 'promotional' ? 'promotional' : period.kind,
    purchasedAtMs: period.startMs,
    expirationAtMs: period.endMs,
    transactionId: period.storeTransactionId,
    originalTransactionId: state.originalStoreTransactionId,
    ownership: period.ownership,
    country: period.country,
    offerCode: period.offerCode,
    presentedOfferingId: state.presentedOfferingId,
    ...event,
  };
}

/** INITIAL_PURCHASE of a chain and RENEWAL of each further period: once each, whenever they become known. */
function openings(chain: Chain, state: ChainState, memory: ChainMemory, nowMs: number): EngineEvent[] {
  const periods = orderedPeriods(chain.facts);
  const told = new Set(memory.opened);
  const events: EngineEvent[] = [];
  periods.forEach((period, index) => {
    if (told.has(period.key)) return;
    const isFirst = told.size === 0;
    told.add(period.key);
    const price =
      period.kind === 'trial' || period.ownership === 'family_shared'
        ? freePrice(period.price.currency)
        : period.price;
    const previous = periods[index - 1];
    events.push(
      eventAbout(chain, state, period, {
        type: isFirst ? 'INITIAL_PURCHASE' : 'RENEWAL',
        dedupeKey: isFirst ? `${chain.id}:ip` : `${chain.id}:rn:${period.key}`,
        occurredAtMs: period.startMs,
        delivery: !isFirst && nowMs - period.startMs > SUPPRESS_AFTER_MS ? 'suppressed' : 'send',
        price,
        renewalNumber: index + 1,
        ...(isFirst ? {} : { isTrialConversion: previous?.kind === 'trial' && period.kind !== 'trial' }),
      }),
    );
  });
  return events;
}

function endReason(state: ChainState): EndReason {
  if (state.refundedAtMs !== null) return 'CUSTOMER_SUPPORT';
  if (state.billingIssueAtMs !== null) return 'BILLING_ERROR';
  return state.unsubscribeAtMs !== null || state.autoRenewalStatus === 'will_not_renew'
    ? 'UNSUBSCRIBE'
    : 'UNKNOWN';
}

/** CANCELLATION (when none was told) and EXPIRATION of a chain whose access is over for good. */
function closing(chain: Chain, state: ChainState, memory: ChainMemory): EngineEvent[] {
  const latest = orderedPeriods(chain.facts).at(-1);
  const confirmed = endsWithoutConfirmation.has(chain.store);
  if (!latest || state.givesAccess || state.pendingPayment || !confirmed) return [];
  const endMs = state.accessEndsAtMs ?? state.periodStartedAtMs;
  const reason = endReason(state);
  const price = freePrice(latest.price.currency);
  const times = memory.expirations[latest.key] ?? 0;
  const about = { occurredAtMs: endMs, expirationAtMs: endMs, price };
  const expiration = eventAbout(chain, state, latest, {
    type: 'EXPIRATION',
    dedupeKey: `${chain.id}:xp:${latest.key}:${times}`,
    expirationReason: reason,
    ...about,
  });
  if (memory.unsubscribeOpen || chain.store === 'promotional') return [expiration];
  const cancellation = eventAbout(chain, state, latest, {
    type: 'CANCELLATION',
    dedupeKey: `${chain.id}:un:${endMs}`,
    cancelReason: reason,
    ...about,
    occurredAtMs: state.unsubscribeAtMs ?? endMs,
  });
  return [cancellation, expiration];
}

/** Events that the new facts and the time call for, and what must be remembered of having told them. */
export function chainEvents(
  chain: Chain,
  state: ChainState,
  nowMs: number,
): { events: EngineEvent[]; memory: ChainMemory } {
  const opened = state.pendingPayment ? [] : openings(chain, state, chain.memory, nowMs);
  const latestKey = orderedPeriods(chain.facts).at(-1)?.key ?? '';
  // An older period that is found late is told, but opens nothing.
  const opensAccess = opened.length > 0 && !chain.memory.opened.includes(latestKey);
  const accessOpen = chain.memory.accessOpen || opensAccess;
  const closed = accessOpen ? closing(chain, state, chain.memory) : [];
  const ended = closed.at(-1);
  if (opened.length === 0 && closed.length === 0) return { events: [], memory: chain.memory };
  return {
    events: [...opened, ...closed],
    memory: {
      opened: orderedPeriods(chain.facts)
        .map(({ key }) => key)
        .sort(),
      accessOpen: accessOpen && !ended,
      unsubscribeOpen: ended ? false : chain.memory.unsubscribeOpen,
      expirations: ended
        ? { ...chain.memory.expirations, [latestKey]: (chain.memory.expirations[latestKey] ?? 0) + 1 }
        : chain.memory.expirations,
    },
  };
}
