import type { RetentionRuleDto } from './retention-rule.dto.js';
import type { RetentionRule } from './retention-rule.entity.js';

/** A rule with its place in the order of evaluation, from 1. */
export interface PlacedRetentionRule {
  rule: RetentionRule;
  place: number;
}

export function placedRetentionRules(inOrder: readonly RetentionRule[]): PlacedRetentionRule[] {
  return inOrder.map((rule, index) => ({ rule, place: index + 1 }));
}

export function presentRetentionRule({ rule, place }: PlacedRetentionRule): RetentionRuleDto {
  const { offerProductId, offerId } = rule;
  return {
    object: 'retention_rule',
    id: rule.id,
    app_id: rule.appId,
    environment: rule.environment,
    display_name: rule.displayName,
    conditions: rule.conditions as RetentionRuleDto['conditions'],
    message_id: rule.messageId,
    alternate_product_id: rule.alternateProductId,
    promotional_offer:
      offerProductId !== null && offerId !== null ? { product_id: offerProductId, offer_id: offerId } : null,
    position: place,
    created_at: rule.createdAt.getTime(),
    updated_at: rule.updatedAt.getTime(),
  };
}
