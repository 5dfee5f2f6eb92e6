import { applyChain } from '../../libs/engine/index.js';
import {
  type Plan,
  plannedStatement,
  type PlannedStatement,
  type PlanTerms,
} from '../../libs/stores/index.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { type ChainRow, type CustomerRow, timeOf } from '../customers/customer-state.js';
import type { ChangeBuilder } from '../purchases/change-builder.js';
import { chainOf } from '../purchases/customer-purchases.js';

/** Something that happens to a chain: its store speaks, or (null) its time has come. */
interface Step {
  chainId: string;
  atMs: number;
  planned: PlannedStatement | null;
}

/** A subscriber goes on paying what they pay; after a trial it is the product's price. */
function termsOf(row: ChainRow, catalog: Catalog): PlanTerms {
  const { periods } = chainOf(row).facts;
  const latest = Object.values(periods)
    .map(({ value }) => value)
    .reduce((a, b) => (b.startMs >= a.startMs ? b : a));
  const known = catalog.productOf(row.appId, latest.storeProductId);
  const product = {
    storeIdentifier: latest.storeProductId,
    type: 'subscription' as const,
    duration: known?.duration ?? null,
    trialDuration: null,
    price: known?.testStorePrice ?? null,
  };
  const unknown = { amountMicros: null, currency: null, source: 'unknown' } as const;
  const listed = product.price ? ({ ...product.price, source: 'catalog' } as const) : unknown;
  const price = latest.kind === 'trial' ? listed : latest.price;
  return { product, price, graceDuration: known?.gracePeriodDuration ?? null };
}

/**
 * Lets the time of a customer who lives by a test clock pass until `untilMs`, step by step, each at its own time: the
 * Test Store speaks by the plan, ends come when they are due. `customer.testClockMs` goes along. False when it is not
 * there after `maxSteps`.
 * @throws Error when the plan leads nowhere
 */
export function passClockTime(
  builder: ChangeBuilder,
  customer: CustomerRow,
  { catalog, plan, untilMs }: { catalog: Catalog; plan: Plan; untilMs: number },
  maxSteps: number,
): boolean {
  const now = (): number => timeOf(customer, untilMs);
  const due = new Map<string, number | null>();
  for (const row of customer.chains) {
    const look = applyChain(chainOf(row), null, now());
    due.set(row.id, look.changed ? now() : look.state.nextDueAtMs);
  }
  for (let steps = 0; ; steps++) {
    const step = nextStep(customer, due, now(), (row) =>
      row.store === 'test_store' ? plannedStatement(chainOf(row), plan, termsOf(row, catalog)) : null,
    );
    const row = customer.chains.find(({ id }) => id === step?.chainId);
    if (!step || !row || step.atMs > untilMs) {
      customer.testClockMs = untilMs;
      return true;
    }
    if (steps === maxSteps) return false;
    customer.testClockMs = step.atMs;
    const change = applyChain(chainOf(row), step.planned?.say(step.atMs) ?? null, step.atMs);
    if (step.planned && !change.changed) throw new Error(`${row.id} learned nothing from its plan`);
    due.set(row.id, change.state.nextDueAtMs);
    builder.addChain(change, { customer, appId: row.appId, seenAs: customer.originalAppUserId });
  }
}

/** The earliest thing to happen; at one moment the store speaks before an end is told. */
function nextStep(
  { chains }: CustomerRow,
  due: ReadonlyMap<string, number | null>,
  nowMs: number,
  plannedOf: (row: ChainRow) => PlannedStatement | null,
): Step | null {
  const steps = chains.flatMap((row): Step[] => {
    const planned = plannedOf(row);
    const dueAtMs = due.get(row.id) ?? null;
    // Of two statements of one moment neither would be the newer one.
    const earliestMs = Math.max(nowMs, row.factsAtMs + 1);
    return [
      ...(planned ? [{ chainId: row.id, atMs: Math.max(planned.atMs, earliestMs), planned }] : []),
      ...(dueAtMs === null ? [] : [{ chainId: row.id, atMs: Math.max(dueAtMs, nowMs), planned: null }]),
    ];
  });
  return steps.reduce<Step | null>(
    (first, step) => (first && !comesBefore(step, first) ? first : step),
    null,
  );
}

function comesBefore(a: Step, b: Step): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if ((a.planned === null) !== (b.planned === null)) return a.planned !== null;
  return a.chainId < b.chainId;
}
