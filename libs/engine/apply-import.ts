import { isSameJson } from '../kernel/index.js';
import {
  nextDue,
  type Circumstances,
  type SubscriptionChange,
  transitionTo,
  withMoney,
} from './apply-subscription.js';
import { applyOneTime, type OneTimeChange } from './apply-one-time.js';
import { recordedState } from './derive-state.js';
import { mergeOneTimeFacts, mergeSubscriptionFacts } from './facts.js';
import { withKnownFields, withKnownPurchase } from './imported-gaps.js';
import type { ImportedFacts, ImportedOneTimeFacts, OneTimeFacts, SubscriptionFacts } from './facts.model.js';
import type { EmittedState, OneTimePurchase, Subscription, SubscriptionState } from './model.js';
import { eventAbout } from './period-event.js';
import { chargedTogether } from './add-ons.js';
import type { EngineEvent, EventType } from './outcome.model.js';
import { subscriptionEvents } from './subscription-events.js';
import type { Transition } from './event-recorder.js';

export interface ImportTerms extends Circumstances {
  /** When the data was read from the other system. */
  asOfMs: number;
  /** Whether to emit the current state of new, unexpired subscriptions. History is never emitted. */
  emits: boolean;
}

function withoutTimes(imported: ImportedFacts | ImportedOneTimeFacts | undefined): unknown {
  return JSON.parse(
    JSON.stringify(imported ?? null, (key, value: unknown) =>
      key === 'at' || key === 'importedAtMs' ? undefined : value,
    ),
  );
}

/** A later reading with the same content changes nothing. */
function saysSame<T extends ImportedFacts | ImportedOneTimeFacts>(
  a: T | undefined,
  b: T | undefined,
  filled: (imported: T) => T,
): boolean {
  return a === b || isSameJson(withoutTimes(a && filled(a)), withoutTimes(b && filled(b)));
}

const statements: ReadonlySet<EventType> = new Set<EventType>(['CANCELLATION', 'BILLING_ISSUE']);

/** Events for the current state of a new subscription: its start and any current problems. */
function standing(transition: Transition, events: EngineEvent[], state: SubscriptionState): EngineEvent[] {
  const { subscription, view, nowMs } = transition;
  if (state.status === 'expired') return [];
  const opening = events.find(({ type }) => type === 'INITIAL_PURCHASE');
  const troubles = events.filter(({ type }) => statements.has(type));
  if (!opening) return [];
  const { latest } = view;
  const about = {
    type: opening.type,
    dedupeKey: opening.dedupeKey,
    occurredAtMs: opening.occurredAtMs,
    price: chargedTogether(latest, view.addOns),
    renewalNumber: view.all.indexOf(latest) + 1,
  };
  // Receivers open access until the event's expiration, which must be that of the current period.
  const current = eventAbout(subscription, view, latest, about, nowMs);
  return [
    current,
    ...(state.givesAccess || troubles.some(({ type }) => type === 'BILLING_ISSUE') ? troubles : []),
  ];
}

/** The emitted state as if everything imported had been emitted. */
function quietly(
  previous: EmittedState,
  emitted: EmittedState,
  state: SubscriptionState,
  asOfMs: number,
): EmittedState {
  const isNew = previous.opened.length === 0;
  const importedAtMs = isNew ? asOfMs : previous.importedAtMs;
  const quiet = { ...emitted, ...(importedAtMs !== undefined && { importedAtMs }) };
  if (state.givesAccess) return { ...quiet, accessOpen: true };
  if (isNew || !previous.accessOpen) {
    return { ...quiet, accessOpen: false, unsubscribeOpen: false, expirations: previous.expirations };
  }
  // If access ended after an earlier import or report, the clock emits the expiration once.
  const { expirations, unsubscribeOpen } = previous;
  const open = { ...quiet, accessOpen: true, expirations };
  delete open.endedAt;
  delete open.cancelledAt;
  return { ...open, unsubscribeOpen: unsubscribeOpen || quiet.unsubscribeOpen };
}

/**
 * Adds another system's data about a subscription. Updates state and money, and emits events only for the current state
 * of a new subscription, if asked to. Later changes are emitted as usual, once. Pure and idempotent. Besides imported
 * facts, `facts` may contain our own statements, for example a grant.
 * @throws RangeError if the subscription still has no period
 */
export function importSubscription(
  previous: Subscription,
  facts: SubscriptionFacts,
  nowMs: number,
  { asOfMs, emits, storeCanBeAsked = true, listeningSinceMs = 0 }: ImportTerms,
): SubscriptionChange {
  const said = facts.imported ? { ...facts, imported: { ...facts.imported, importedAtMs: nowMs } } : facts;
  const merged = mergeSubscriptionFacts(previous.facts, said);
  const { imported: before, ...ofStores } = previous.facts;
  const { imported: after, ...ofStoresNow } = merged;
  const isSame = saysSame(before, after, withKnownFields) && isSameJson(ofStores, ofStoresNow);
  const circumstances = { isLate: false, storeCanBeAsked, listeningSinceMs };
  const next = isSame ? previous.facts : merged;
  const { transition, known, emitted } = transitionTo(previous, next, nowMs, circumstances);
  const { view, state } = transition;
  if (isSame) return { subscription: previous, state, changed: false, ledger: [], sales: [], events: [] };
  const outcome = subscriptionEvents(transition, emitted);
  const quiet = quietly(emitted, outcome.emitted, state, asOfMs);
  const money = withMoney(previous, view, known, quiet);
  const isNew = previous.emitted.opened.length === 0;
  return {
    subscription: { ...previous, facts: next, emitted: money.emitted },
    state: { ...recordedState(state, money.emitted), nextDueAtMs: nextDue(transition, money.emitted) },
    changed: true,
    ledger: money.rows,
    sales: [],
    events: emits && isNew ? standing(transition, outcome.events, state) : [],
  };
}

/** Does the same as `importSubscription` for a one-time purchase. */
export function importOneTime(
  previous: OneTimePurchase,
  imported: ImportedOneTimeFacts,
  nowMs: number,
  { emits }: Pick<ImportTerms, 'emits'>,
): OneTimeChange {
  const said: OneTimeFacts = {
    purchase: null,
    refund: null,
    hints: null,
    imported: { ...imported, importedAtMs: nowMs },
  };
  const merged = mergeOneTimeFacts(previous.facts, said);
  const facts = saysSame(previous.facts.imported, merged.imported, withKnownPurchase)
    ? previous.facts
    : merged;
  const observation = { atMs: 0, facts };
  const change = applyOneTime(previous, observation, nowMs);
  const isNew = !previous.emitted.purchase;
  const isOwned = change.state.status === 'owned';
  return { ...change, sales: [], events: emits && isNew && isOwned ? change.events : [] };
}
