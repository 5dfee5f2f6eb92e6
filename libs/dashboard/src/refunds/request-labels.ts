import { choices } from '../frame/conditions/condition-labels.js';
import type { Tone } from '../ui/tone.js';
import { preferenceLabels } from './labels.js';
import type { AnswerStatus, RefundRequest } from './requests.queries.js';

export const statusLabels = {
  waiting: { label: 'Being sent', tone: 'accent' },
  held: { label: 'Waiting for you', tone: 'warn' },
  sent: { label: 'Sent', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  expired: { label: 'Expired', tone: 'bad' },
  not_wanted: { label: 'Not answered', tone: 'neutral' },
} satisfies Record<AnswerStatus, { label: string; tone: Tone }>;

export const outcomeLabels = {
  refunded: { label: 'Refunded', tone: 'bad' },
  partially_refunded: { label: 'Refunded in part', tone: 'bad' },
  declined: { label: 'Declined', tone: 'good' },
  reversed: { label: 'Refund reversed', tone: 'good' },
  no_resolution: { label: 'No decision', tone: 'neutral' },
} satisfies Record<NonNullable<RefundRequest['outcome']>, { label: string; tone: Tone }>;

/** Why a request gets no answer. */
export const notAnsweredLabels = {
  off: 'Answers are off for this app.',
  not_the_buyer: 'Another customer paid for the purchase.',
  unknown_purchase: 'No customer owns the purchase.',
  no_consent: 'The customer did not agree.',
  customer_attribute: 'Set by an attribute of the customer.',
  policy: 'Decided by the policy.',
  person: 'Decided by a person.',
} satisfies Record<NonNullable<RefundRequest['answer_reason']>, string>;

export const deciderLabels = {
  policy: 'Policy',
  setting: 'Setting of the app',
  customer_attribute: 'Attribute of the customer',
  person: 'A person',
} satisfies Record<NonNullable<RefundRequest['decided_by']>, string>;

/** The reason of a request, as the store sent it if it is unknown. */
export const reasonLabel = (reason: string | null): string =>
  choices.refund_reason?.[reason ?? 'NONE'] ?? reason ?? '';

export const answerLabel = ({ preference, answer_status: status }: RefundRequest): string =>
  status === 'not_wanted' ? preferenceLabels.do_not_answer : preference ? preferenceLabels[preference] : '—';
