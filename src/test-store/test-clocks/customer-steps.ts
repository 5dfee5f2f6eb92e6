import { applySubscription, passTime } from '../../../libs/engine/index.js';
import type { Plan } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import { subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { reportByPlan } from '../../purchases/recording/test-store-reports.js';

/**
 * Advances a customer on a test clock to `untilMs`, each step at its own time: Test Store reports follow the plan, and
 * transitions occur when due. Updates `customer.testClockMs`, which stays behind if `maxSteps` is reached.
 * @throws Error if the plan makes no progress
 */
export function passClockTime(
  builder: ChangeBuilder,
  customer: CustomerRow,
  { catalog, plan, untilMs }: { catalog: Catalog; plan: Plan; untilMs: number },
  maxSteps: number,
): void {
  const fromMs = timeOf(customer, untilMs);
  const appIds = new Map(customer.subscriptions.map(({ id, appId }) => [id, appId]));
  const due = customer.subscriptions.map((row) => {
    const subscription = subscriptionOf(row);
    const look = applySubscription(subscription, null, fromMs);
    return { subscription, dueAtMs: look.changed ? fromMs : look.state.nextDueAtMs };
  });
  const { steps, arrived } = passTime(due, untilMs, {
    reportOf: (subscription) =>
      reportByPlan({ ...subscription, appId: appIds.get(subscription.id) ?? null }, plan, catalog),
    fromMs,
    maxSteps,
  });
  for (const { atMs, change } of steps) {
    if (customer.testClockMs !== atMs) builder.emitCredits();
    customer.testClockMs = atMs;
    const appId = appIds.get(change.subscription.id) ?? null;
    builder.addSubscription(change, { customer, appId, seenAs: customer.originalAppUserId });
  }
  builder.emitCredits();
  if (arrived) customer.testClockMs = untilMs;
}
