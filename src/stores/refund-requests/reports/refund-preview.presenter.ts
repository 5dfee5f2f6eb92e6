import { microsToMajor } from '../../../../libs/money/index.js';
import { isDraftId } from '../../refund-policies/refund-policy.policy.js';
import type { RefundPolicyPreviewDto } from './refund-preview.dto.js';
import type { PreviewCount } from './refund-preview.policy.js';
import type { PreviewOfPolicies } from './refund-preview.service.js';

function presentCount({ requests, usdMicros }: PreviewCount): { requests: number; amount_in_usd: number } {
  return { requests, amount_in_usd: microsToMajor(usdMicros) };
}

export function presentPreview({ policies, preview }: PreviewOfPolicies): RefundPolicyPreviewDto {
  return {
    object: 'refund_policy_preview',
    requests: preview.requests,
    by_policy: policies.map(({ id, displayName, preference }) => ({
      policy: { id: isDraftId(id) ? null : id, display_name: displayName, preference },
      ...presentCount(preview.byPolicy.get(id) as PreviewCount),
    })),
    by_preference: [...preview.byPreference].map(([preference, count]) => ({
      preference,
      ...presentCount(count),
    })),
    changed: preview.changed.map(({ requestId, before, after }) => ({
      request_id: requestId,
      before,
      after,
    })),
    changed_requests: preview.changedRequests,
    approximate: preview.approximate,
  };
}
