import { addPeriods } from '../../kernel/index.js';
import { type Chain, type ChainView, deriveChain, viewChain } from '../../engine/index.js';
import { Life, type LifeStep } from './life.js';
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

/** What can be made to happen to a subscription that is there. */
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
  /** Of the product that the chain sells now. */
  own: Terms;
  /** Of the product to change to. */
  next: Terms | null;
  /** ISO 8601; null: a week. */
  graceDuration: string | null;
}

interface Scene extends ActTerms {
  chain: Chain;
  view: ChainView;
  givesAccess: boolean;
  nowMs: number;
  life: Life;
}

function refuse(reason: string): never {
  throw new ImpossibleScenario(reason);
}

/**
 * The next period follows the running one, a grace included. While that still has time left, it begins at once and ends
 * where it would have ended: a script does not wait a month. Otherwise all of it begins now.
 */
function renew({ chain, view, givesAccess, nowMs, life, own }: Scene): void {
  const { latest, renewal } = view;
  if (givesAccess && !renewal.autoRenew) refuse('Renewal is off.');
  const followsMs = givesAccess && latest.endMs !== null ? latest.endMs : nowMs;
  const startMs = Math.min(followsMs, nowMs);
  life.say(nowMs, (atMs) => renewed(life.facts, chain.chainKey, own, { atMs, startMs, followsMs }));
}

function assertRunning({ givesAccess }: Scene): void {
  if (!givesAccess) refuse('The subscription is over.');
}

/** What each act does. What is so already, stays so. */
const doing: Record<Act, (scene: Scene) => void> = {
  renewal: renew,
  cancel: (scene) => {
    assertRunning(scene);
    const { life, view, nowMs } = scene;
    if (view.renewal.autoRenew) life.say(nowMs, (atMs) => renewalTurnedOff(life.facts, atMs));
  },
  uncancel: (scene) => {
    assertRunning(scene);
    const { life, view, nowMs } = scene;
    if (!view.renewal.autoRenew) life.say(nowMs, (atMs) => renewalTurnedOn(life.facts, atMs));
  },
  billing_issue: (scene) => {
    assertRunning(scene);
    const { life, view, nowMs, own } = scene;
    const grace = gracePeriod(own.product, scene.graceDuration ?? DEFAULT_GRACE);
    const { endMs } = view.latest;
    if (!view.renewal.autoRenew || endMs === null) refuse('Renewal is off.');
    const graceUntilMs = addPeriods(endMs, grace);
    if (!view.inTrouble) life.say(nowMs, (atMs) => chargeFailed(life.facts, atMs, graceUntilMs));
  },
  billing_recovery: (scene) => {
    if (!scene.view.inTrouble) refuse('No charge has failed.');
    renew(scene);
  },
  refund: ({ life, view, nowMs }) => {
    if (view.facts.refunds[view.latest.key]?.value.revokedAtMs)
      refuse('The latest period is refunded already.');
    life.say(nowMs, (atMs) => refunded(life.facts, atMs));
  },
  product_change: (scene) => {
    assertRunning(scene);
    const { life, chain, view, next, nowMs } = scene;
    if (!next || next.product.storeIdentifier === view.latest.storeProductId) {
      refuse('The subscription is of that product already.');
    }
    life.say(nowMs, (atMs) => renewed(life.facts, chain.chainKey, next, { atMs, startMs: nowMs }));
  },
  expire: (scene) => {
    assertRunning(scene);
    const { life, nowMs } = scene;
    life.say(nowMs, (atMs) => ended(life.facts, atMs, nowMs));
  },
};

/**
 * What happens to a chain when an act is performed now; nothing when it is so already.
 * @throws ImpossibleScenario when it cannot happen to the chain as it is
 */
export function actSteps(act: Act, chain: Chain, terms: ActTerms, nowMs: number): LifeStep[] {
  const view = viewChain(chain.facts);
  const life = new Life(chain.facts, chain.factsAtMs);
  const { givesAccess } = deriveChain(chain.facts, nowMs);
  doing[act]({ ...terms, chain, view, givesAccess, nowMs, life });
  const { steps } = life;
  return steps.length === 0 ? [] : life.pass(nowMs).steps;
}
