import { addPeriods } from '../../kernel/index.js';
import {
  type Subscription,
  type SubscriptionView,
  deriveState,
  viewSubscription,
} from '../../engine/index.js';
import { Timeline, type TimelineStep } from './timeline.js';
import { DEFAULT_GRACE, gracePeriod } from './durations.js';
import { ImpossibleScenario, type Scenario } from './scenarios.js';
import {
  chargeFailed,
  ended,
  refunded,
  renewalTurnedOff,
  renewalTurnedOn,
  renewed,
  type Terms,
} from './statements.js';

export const acts = [
  'renewal',
  'cancel',
  'uncancel',
  'billing_issue',
  'billing_recovery',
  'refund',
  'product_change',
  'expire',
] as const satisfies readonly Scenario[];
export type Act = (typeof acts)[number];

export interface ActTerms {
  /** The current product. */
  own: Terms;
  /** The product to change to. */
  next: Terms | null;
  /** ISO 8601; null means a week. */
  graceDuration: string | null;
}

interface Scene extends ActTerms {
  subscription: Subscription;
  view: SubscriptionView;
  givesAccess: boolean;
  nowMs: number;
  timeline: Timeline;
}

function refuse(reason: string): never {
  throw new ImpossibleScenario(reason);
}

/**
 * The next period follows the current one, including grace. If that still has time left, the new one starts at once and
 * ends where it would have ended, so that a script need not wait a month. Otherwise it starts now.
 */
function renew({ subscription, view, givesAccess, nowMs, timeline, own }: Scene): void {
  const { latest, renewal } = view;
  if (givesAccess && !renewal.autoRenew) refuse('Renewal is off.');
  const followsMs = givesAccess && latest.endMs !== null ? latest.endMs : nowMs;
  const startMs = Math.min(followsMs, nowMs);
  timeline.report(nowMs, (atMs) =>
    renewed(timeline.facts, subscription.storeKey, own, { atMs, startMs, followsMs }),
  );
}

function assertRunning({ givesAccess }: Scene): void {
  if (!givesAccess) refuse('The subscription is over.');
}

/** Effects of the acts. An act that is already in effect changes nothing. */
const effects: Record<Act, (scene: Scene) => void> = {
  renewal: renew,
  cancel: (scene) => {
    assertRunning(scene);
    const { timeline, view, nowMs } = scene;
    if (view.renewal.autoRenew) timeline.report(nowMs, (atMs) => renewalTurnedOff(timeline.facts, atMs));
  },
  uncancel: (scene) => {
    assertRunning(scene);
    const { timeline, view, nowMs } = scene;
    if (!view.renewal.autoRenew) timeline.report(nowMs, (atMs) => renewalTurnedOn(timeline.facts, atMs));
  },
  billing_issue: (scene) => {
    assertRunning(scene);
    const { timeline, view, nowMs, own } = scene;
    const grace = gracePeriod(own.product, scene.graceDuration ?? DEFAULT_GRACE);
    const { endMs } = view.latest;
    if (!view.renewal.autoRenew || endMs === null) refuse('Renewal is off.');
    const graceUntilMs = addPeriods(endMs, grace);
    if (!view.hasBillingIssue)
      timeline.report(nowMs, (atMs) => chargeFailed(timeline.facts, atMs, graceUntilMs));
  },
  billing_recovery: (scene) => {
    if (!scene.view.hasBillingIssue) refuse('No charge has failed.');
    renew(scene);
  },
  refund: ({ timeline, view, nowMs }) => {
    if (view.facts.refunds[view.latest.key]?.value.revokedAtMs)
      refuse('The latest period is refunded already.');
    timeline.report(nowMs, (atMs) => refunded(timeline.facts, atMs));
  },
  product_change: (scene) => {
    assertRunning(scene);
    const { timeline, subscription, view, next, nowMs } = scene;
    if (!next || next.product.storeIdentifier === view.latest.storeProductId) {
      refuse('The subscription is of that product already.');
    }
    timeline.report(nowMs, (atMs) =>
      renewed(timeline.facts, subscription.storeKey, next, { atMs, startMs: nowMs }),
    );
  },
  expire: (scene) => {
    assertRunning(scene);
    const { timeline, nowMs } = scene;
    timeline.report(nowMs, (atMs) => ended(timeline.facts, atMs, nowMs));
  },
};

/** Empty if the act is already in effect. @throws ImpossibleScenario if it is impossible in the current state */
export function actSteps(
  act: Act,
  subscription: Subscription,
  terms: ActTerms,
  nowMs: number,
): TimelineStep[] {
  const view = viewSubscription(subscription.facts);
  const timeline = new Timeline(subscription.facts, subscription.factsAtMs);
  const { givesAccess } = deriveState(subscription.facts, nowMs);
  effects[act]({ ...terms, subscription, view, givesAccess, nowMs, timeline });
  const { steps } = timeline;
  return steps.length === 0 ? [] : timeline.pass(nowMs).steps;
}
