import { randomBytes } from 'node:crypto';
import {
  grantObservation,
  grantProductId,
  importSubscription,
  newSubscription,
  noImportedFacts,
  type SubscriptionFacts,
} from '../../../../libs/engine/index.js';
import { newId } from '../../../../libs/kernel/index.js';
import { timeOf } from '../../../customers/customers/identity/customer-state.js';
import type { ChangeBuilder } from '../../../purchases/recording/change-builder.js';
import type { ImportScope, ItemTarget } from '../import-scope.js';
import type { ImportedSubscriptionDto } from '../imported-subscription.dto.js';

/** The end of a grant without an end. Other systems write similarly distant dates. */
const LIFETIME_MS = 100 * 365 * 86_400_000;
const SAME_END_MS = 2 * 3_600_000;

function isSameEnd(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= SAME_END_MS;
}

/** Adds one grant per entitlement. A grant with about the same end counts as the same one. */
export function addGrants(
  change: ChangeBuilder,
  scope: ImportScope,
  item: ImportedSubscriptionDto,
  { customer, path, notes }: ItemTarget,
): boolean {
  const { catalog, nowMs: realMs, asOfMs, emits } = scope;
  const nowMs = timeOf(customer, realMs);
  const startMs = item.starts_at ?? nowMs;
  const given = item.current_period_ends_at ?? null;
  const endMs = given !== null && given > nowMs + LIFETIME_MS ? null : given;
  let isRecorded = false;
  for (const key of item.entitlement_lookup_keys ?? []) {
    const entitlement = catalog.findEntitlement(key);
    if (!entitlement) {
      notes.add(path, `there is no entitlement "${key}"`);
      continue;
    }
    isRecorded = true;
    const isKnown = customer.subscriptions
      .filter(({ grantedEntitlementId }) => grantedEntitlementId === entitlement.id)
      .some(({ facts }) =>
        Object.values((facts as SubscriptionFacts).periods).some(({ value }) =>
          isSameEnd(value.endMs, endMs),
        ),
      );
    if (isKnown) continue;
    const id = newId('subscription', realMs);
    const identity = { id, store: 'promotional', environment: 'production', storeKey: id } as const;
    const { facts: granted } = grantObservation({
      key: id,
      storeProductId:
        item.product_identifier ??
        grantProductId(entitlement.lookupKey, endMs === null ? 'lifetime' : 'custom'),
      transactionId: randomBytes(16).toString('hex'),
      grantedAtMs: Math.min(startMs, nowMs),
      endMs,
    });
    const facts = { ...granted, imported: noImportedFacts };
    const applied = importSubscription(newSubscription(identity), facts, nowMs, { asOfMs, emits });
    change.addSubscription(applied, {
      customer,
      appId: null,
      seenAs: customer.originalAppUserId,
      grantedEntitlementId: entitlement.id,
    });
  }
  return isRecorded;
}
