import type { ExplainedEntitlement } from '../../../libs/engine/index.js';
import { embeddedList } from '../../platform/http/lists/lists.js';
import {
  placeOfOwnershipChange,
  presentOwnershipChange,
} from '../../purchases/ownership/ownership-change.dto.js';
import type {
  AccessCauseDto,
  AccessExplanationDto,
  AccessSourceDto,
  ExplainedEntitlementDto,
  ExplainedPurchaseDto,
} from './access-explanation.dto.js';
import type { AccessExplanation } from './access-explanation.service.js';
import type { AccessSource, PurchaseKind } from './explain-access.js';

function presentSource(source: AccessSource): AccessSourceDto {
  const { kind, id, store, environment, productId, storeProductId, needsToken, claim } = source;
  return {
    object: 'access_source',
    kind,
    id,
    store,
    environment,
    product_id: productId,
    store_product_identifier: storeProductId,
    gives_access: claim.givesAccess,
    since: claim.sinceMs,
    until: claim.untilMs,
    cause: { type: claim.cause, occurred_at: claim.causeAtMs },
    expiration_reason: claim.endReason,
    imported_at: claim.imported?.atMs ?? null,
    imported_as_of: claim.imported?.asOfMs ?? null,
    needs_token_refresh: needsToken,
  };
}

function presentEntitlement(
  entitlement: ExplainedEntitlement<AccessSource>,
  blockedAtMs: number | null,
): ExplainedEntitlementDto {
  const { id, lookupKey, active, sinceMs, untilMs, decidedBy, sources } = entitlement;
  const { claim } = decidedBy;
  const cause: AccessCauseDto =
    blockedAtMs !== null && claim.givesAccess
      ? { type: 'block', occurred_at: blockedAtMs }
      : { type: claim.cause, occurred_at: claim.causeAtMs };
  return {
    object: 'explained_entitlement',
    entitlement_id: id,
    lookup_key: lookupKey,
    active,
    since: sinceMs,
    until: untilMs,
    cause,
    sources: sources.map(presentSource),
  };
}

export function presentAccessExplanation(explanation: AccessExplanation): AccessExplanationDto {
  const { customer, catalog, facts, entitlements, explainedAtMs } = explanation;
  const blockedAtMs = facts.blockedAt?.getTime() ?? null;
  const purchase = (kind: PurchaseKind, id: string, owned: boolean): ExplainedPurchaseDto => {
    const collection = kind === 'purchase' ? 'purchases' : 'subscriptions';
    const url = `/v2/projects/${catalog.projectId}/${collection}/${id}/ownership_history`;
    const changes = facts.changes.filter(({ purchaseId }) => purchaseId === id);
    return {
      object: 'explained_purchase',
      kind,
      id,
      owned,
      ownership_history: embeddedList(url, changes, presentOwnershipChange, placeOfOwnershipChange),
    };
  };
  const all = (owned: boolean, { subscriptions, oneTime }: AccessExplanation['facts']['given']) => [
    ...subscriptions.map((row) =>
      purchase(row.grantedEntitlementId === null ? 'subscription' : 'grant', row.id, owned),
    ),
    ...oneTime.map(({ id }) => purchase('purchase', id, owned)),
  ];
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  return {
    object: 'access_explanation',
    customer_id: customer.originalAppUserId,
    explained_at: explainedAtMs,
    blocked_at: blockedAtMs,
    entitlements: entitlements.map((entitlement) => presentEntitlement(entitlement, blockedAtMs)),
    purchases: [...all(true, facts).sort(byId), ...all(false, facts.given).sort(byId)],
  };
}
