import type { RedemptionLinkDto } from './redemption-link.dto.js';
import { obfuscatedEmail, statusOf } from './redemption-link.policy.js';
import type { RedemptionLinkRow } from './redemption-links.repository.js';

export function presentRedemptionLink(row: RedemptionLinkRow, nowMs: number): RedemptionLinkDto {
  const isSubscription = row.purchaseKind === 'subscription';
  return {
    object: 'redemption_link',
    id: row.id,
    project_id: row.projectId,
    customer_id: row.customerAppUserId,
    app_id: row.appId,
    subscription_id: isSubscription ? row.purchaseId : null,
    purchase_id: isSubscription ? null : row.purchaseId,
    environment: row.environment,
    status: statusOf(row, nowMs),
    obfuscated_email: row.email === null ? null : obfuscatedEmail(row.email),
    created_at: row.createdAt.getTime(),
    expires_at: row.expiresAt.getTime(),
    redeemed_at: row.redeemedAt?.getTime() ?? null,
    redeemed_by: row.redeemedBy,
  };
}
