import type { ExperimentEnrollmentEventDto } from './customer-event.dto.js';
import type { EventCustomer, EventHead } from './event-body.js';

export interface EnrollmentReport {
  experimentId: string;
  variant: string;
  /** Lookup key of the variant's offering. */
  offeringKey: string;
  enrolledAtMs: number;
}

/** The webhook `event` object of a customer enrolled in an experiment. It has no app and no environment. */
export function enrollmentEventBody(
  head: EventHead,
  customer: EventCustomer,
  appUserId: string,
  { experimentId, variant, offeringKey, enrolledAtMs }: EnrollmentReport,
): ExperimentEnrollmentEventDto {
  return {
    id: head.id,
    type: 'EXPERIMENT_ENROLLMENT',
    event_timestamp_ms: enrolledAtMs,
    sequence: head.sequence,
    app_user_id: appUserId,
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map((alias) => alias.appUserId),
    experiment_id: experimentId,
    experiment_variant: variant,
    offering_id: offeringKey,
    experiment_enrolled_at_ms: enrolledAtMs,
    enrolled_at_ms: enrolledAtMs,
  };
}
