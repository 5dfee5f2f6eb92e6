import { ApiProperty } from '@nestjs/swagger';
import { type RefundPreference, refundPreferences } from '../../../../libs/targeting/index.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { IntField, ObjectArrayField } from '../../../platform/http/bodies/fields.js';
import { MAX_POLICIES, RefundPolicyDraftDto } from '../../refund-policies/refund-policy.dto.js';

/** Values of older requests are deleted. */
export const PREVIEW_DAYS = 90;

@BodyExample({
  policies: [
    {
      display_name: 'Cheap',
      conditions: [{ field: 'price_usd', operator: '<', value: 5 }],
      preference: 'grant_full',
    },
    { display_name: 'All others', preference: 'decline' },
  ],
  days: 30,
})
export class PreviewRefundPoliciesDto {
  @ObjectArrayField(() => RefundPolicyDraftDto, {
    min: 1,
    max: MAX_POLICIES,
    optional: true,
    description:
      'Policies in order of evaluation. The last one decides what the others do not, so it has no conditions and all stores. Default: the saved policies.',
  })
  policies?: RefundPolicyDraftDto[];

  @IntField({ min: 1, max: PREVIEW_DAYS, optional: true, description: 'Days until now. Default: 90.' })
  days?: number;
}

class PreviewedPolicyDto {
  @ApiProperty({ type: String, nullable: true, description: 'Null for a draft without id.' })
  id: string | null;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ enum: refundPreferences })
  preference: RefundPreference;
}

class PreviewCountDto {
  @ApiProperty({ type: 'integer' })
  requests: number;

  @ApiProperty({ type: 'number', description: 'Sum of the payments, in USD.' })
  amount_in_usd: number;
}

export class PolicyCountDto extends PreviewCountDto {
  @ApiProperty({ type: PreviewedPolicyDto })
  policy: PreviewedPolicyDto;
}

export class PreferenceCountDto extends PreviewCountDto {
  @ApiProperty({ enum: refundPreferences })
  preference: RefundPreference;
}

export class ChangedRequestDto {
  @ApiProperty({ type: String })
  request_id: string;

  @ApiProperty({ enum: refundPreferences, description: 'As decided then.' })
  before: RefundPreference;

  @ApiProperty({ enum: refundPreferences, description: 'As these policies decide.' })
  after: RefundPreference;
}

export class RefundPolicyPreviewDto {
  @ApiProperty({ enum: ['refund_policy_preview'] })
  object: 'refund_policy_preview';

  @ApiProperty({
    type: 'integer',
    description:
      'Requests in production about which policies decide. Those without consent, of an unknown customer, or decided by a customer attribute are left out.',
  })
  requests: number;

  @ApiProperty({ type: [PolicyCountDto], description: 'In order of evaluation.' })
  by_policy: PolicyCountDto[];

  @ApiProperty({ type: [PreferenceCountDto] })
  by_preference: PreferenceCountDto[];

  @ApiProperty({ type: [ChangedRequestDto], description: 'The newest 100. Answers of people never change.' })
  changed: ChangedRequestDto[];

  @ApiProperty({ type: 'integer', description: 'Number of requests that would be answered differently.' })
  changed_requests: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of requests for which a customer attribute used by the policies was not stored.',
  })
  approximate: number;
}
