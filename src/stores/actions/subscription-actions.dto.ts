import { EnumField, IntField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

/** The latest time that a JavaScript `Date` can hold, in ms. */
const LATEST_TIME_MS = 8_640_000_000_000_000;

export const extendReasonCodes = [
  'undeclared',
  'customer_satisfaction',
  'other',
  'service_issue_or_outage',
] as const;

@BodyExample({ extend_by_days: 7, extend_reason_code: 'customer_satisfaction' })
export class ExtendSubscriptionDto {
  @IntField({ min: 1, max: 365, optional: true, description: 'This, or `extend_until_ms`.' })
  extend_by_days?: number;

  @IntField({ min: 0, max: LATEST_TIME_MS, optional: true, description: 'New end, epoch milliseconds.' })
  extend_until_ms?: number;

  @EnumField(extendReasonCodes, { optional: true, description: 'Required for the App Store.' })
  extend_reason_code?: (typeof extendReasonCodes)[number];
}
