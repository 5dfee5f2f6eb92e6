import type { Place } from '../../platform/http/lists/list-place.js';
import type { RefundPolicyDto } from './refund-policy.dto.js';
import type { RefundPolicy } from './refund-policy.entity.js';

/** A policy and its place in the order of evaluation, counted from 1. */
export interface PlacedPolicy {
  policy: RefundPolicy;
  place: number;
}

export function placedPolicies(inOrder: readonly RefundPolicy[]): PlacedPolicy[] {
  return inOrder.map((policy, index) => ({ policy, place: index + 1 }));
}

export function presentRefundPolicy({ policy, place }: PlacedPolicy): RefundPolicyDto {
  return {
    object: 'refund_policy',
    id: policy.id,
    project_id: policy.projectId,
    display_name: policy.displayName,
    conditions: policy.conditions,
    preference: policy.preference,
    hold_minutes: policy.holdMinutes,
    stores: policy.stores,
    is_default: policy.isDefault,
    position: policy.isDefault ? null : place,
    created_at: policy.createdAt.getTime(),
    updated_at: policy.updatedAt.getTime(),
  };
}

export function placeOfPolicy({ policy, place }: PlacedPolicy): Place {
  return [place, policy.id];
}
