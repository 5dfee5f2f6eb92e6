import type { Tone } from '../ui/tone.js';

/** A group of event types, for the filter of the timeline. */
export const eventKinds = ['payments', 'problems', 'changes', 'identity', 'other'] as const;
export type EventKind = (typeof eventKinds)[number];

export interface DescribedEvent {
  sentence: string;
  kind: EventKind;
  tone: Tone;
  /** Money that moved; null if none did. */
  money: { amount: number; currency: string } | null;
}

/** The fields of an event body that sentences are made of; none is certain to be there. */
interface Body {
  type?: unknown;
  [field: string]: unknown;
}

type When = (ms: number) => string;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const productOf = (body: Body) => text(body.product_id) ?? 'a purchase';
const entitlementsOf = (body: Body) => texts(body.entitlement_ids).join(', ') || productOf(body);
const isGrant = ({ store }: Body) => store === 'PROMOTIONAL';
const objects = (value: unknown): Body[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (item): item is Body => typeof item === 'object' && item !== null,
  );
/** Ids given by the SDK say nothing to a person. */
const named = (ids: string[]) =>
  ids.find((id) => !id.startsWith('$RCAnonymousID:')) ?? ids[0] ?? 'a customer';
const until = (value: unknown, when: When, before: string) => {
  const ms = number(value);
  return ms === null ? '' : `${before}${when(ms)}`;
};

const cancellations: Record<string, [sentence: (product: string) => string, kind: EventKind, tone: Tone]> = {
  UNSUBSCRIBE: [(product) => `Turned off renewal of ${product}`, 'problems', 'warn'],
  BILLING_ERROR: [(product) => `Renewal of ${product} stopped: the charge failed`, 'problems', 'warn'],
  CUSTOMER_SUPPORT: [(product) => `Refunded ${product}`, 'payments', 'bad'],
  DEVELOPER_INITIATED: [(product) => `The developer cancelled ${product}`, 'problems', 'warn'],
  PRICE_INCREASE: [(product) => `Did not agree to the higher price of ${product}`, 'problems', 'warn'],
};

const expirations: Record<string, string> = {
  UNSUBSCRIBE: ': renewal was off',
  BILLING_ERROR: ': the charge failed',
  CUSTOMER_SUPPORT: ': it was refunded',
  DEVELOPER_INITIATED: ': the developer cancelled it',
  PRICE_INCREASE: ': the higher price was not agreed to',
  SUBSCRIPTION_PAUSED: ': it is paused',
};

type Description = [sentence: string, kind: EventKind, tone: Tone];

function bought(body: Body): Description {
  const product = productOf(body);
  if (isGrant(body)) return [`Granted ${entitlementsOf(body)}`, 'changes', 'good'];
  if (body.is_family_share === true) return [`Got ${product} through Family Sharing`, 'payments', 'good'];
  if (body.period_type === 'TRIAL') return [`Started a trial of ${product}`, 'payments', 'good'];
  if (body.period_type === 'INTRO') return [`Bought ${product} at an introductory price`, 'payments', 'good'];
  return [`Bought ${product}`, 'payments', 'good'];
}

function currencies(body: Body): string {
  const changes = objects(body.adjustments).map((change) => {
    const amount = number(change.amount) ?? 0;
    const { code } = (change.currency ?? {}) as Body;
    return `${amount < 0 ? '−' : '+'}${Math.abs(amount)} ${text(code) ?? ''}`.trim();
  });
  const what = changes.join(', ') || 'Balances changed';
  return body.source === 'in_app_purchase' ? `${what} with ${productOf(body)}` : `${what}, adjusted by hand`;
}

const descriptions: Record<string, (body: Body, when: When) => Description> = {
  INITIAL_PURCHASE: bought,
  NON_RENEWING_PURCHASE: bought,
  RENEWAL: (body) => [
    `${body.is_trial_conversion === true ? 'First payment after the trial of' : 'Renewed'} ${productOf(body)}`,
    'payments',
    'good',
  ],
  PRODUCT_CHANGE: (body) => {
    const next = text(body.new_product_id);
    const sentence = next
      ? `Changed from ${productOf(body)} to ${next}`
      : `Changed the add-ons of ${productOf(body)}`;
    return [sentence, 'changes', 'neutral'];
  },
  CANCELLATION: (body) => {
    const [sentence, kind, tone] = cancellations[text(body.cancel_reason) ?? ''] ?? [
      (product: string) => `Cancelled ${product}`,
      'problems',
      'warn',
    ];
    return [sentence(productOf(body)), kind, tone];
  },
  UNCANCELLATION: (body) => [`Turned renewal of ${productOf(body)} on again`, 'changes', 'good'],
  BILLING_ISSUE: (body, when) => [
    `Charge for ${productOf(body)} failed${until(body.grace_period_expiration_at_ms, when, ', grace period until ')}`,
    'problems',
    'bad',
  ],
  SUBSCRIPTION_PAUSED: (body, when) => [
    `${productOf(body)} pauses at the end of its period${until(body.auto_resume_at_ms, when, ', until ')}`,
    'problems',
    'warn',
  ],
  EXPIRATION: (body) => [
    isGrant(body)
      ? `Grant of ${entitlementsOf(body)} ended`
      : `${productOf(body)} expired${expirations[text(body.expiration_reason) ?? ''] ?? ''}`,
    'problems',
    'bad',
  ],
  SUBSCRIPTION_EXTENDED: (body, when) => [
    `${productOf(body)} was extended${until(body.expiration_at_ms, when, ' to ')}`,
    'changes',
    'good',
  ],
  REFUND_REVERSED: (body) => [`The refund of ${productOf(body)} was reversed`, 'payments', 'good'],
  TRANSFER: (body) => [
    `Purchases moved from ${named(texts(body.transferred_from))} to ${named(texts(body.transferred_to))}`,
    'identity',
    'neutral',
  ],
  SUBSCRIBER_ALIAS: (body) => [
    `Known as ${text(body.app_user_id) ?? 'another id'} too`,
    'identity',
    'neutral',
  ],
  VIRTUAL_CURRENCY_TRANSACTION: (body) => [currencies(body), 'other', 'neutral'],
  INVOICE_ISSUANCE: (body) => [`Invoice for ${productOf(body)} issued`, 'payments', 'neutral'],
  TEMPORARY_ENTITLEMENT_GRANT: (body, when) => [
    `Access to ${entitlementsOf(body)} while the store cannot be reached${until(body.expiration_at_ms, when, ', until ')}`,
    'changes',
    'warn',
  ],
  PRICE_INCREASE_CONSENT_REQUIRED: (body) => [
    `Asked to agree to a higher price of ${productOf(body)}`,
    'changes',
    'warn',
  ],
  PRICE_INCREASE_CONSENT_APPROVED: (body) => [
    `Agreed to the higher price of ${productOf(body)}`,
    'changes',
    'good',
  ],
  PURCHASE_REDEEMED: (body) => [`Redeemed a web purchase of ${productOf(body)}`, 'payments', 'good'],
  EXPERIMENT_ENROLLMENT: (body) => [
    `Enrolled in experiment ${text(body.experiment_id) ?? ''}`.trim(),
    'other',
    'neutral',
  ],
  FUNNEL_VIEWED: () => ['Viewed a funnel', 'other', 'neutral'],
  FUNNEL_STEP_COMPLETED: () => ['Completed a step of a funnel', 'other', 'neutral'],
  FUNNEL_PURCHASE: (body) => [`Bought ${productOf(body)} in a funnel`, 'payments', 'good'],
  TEST: () => ['Test event', 'other', 'neutral'],
};

/** An event in plain words. */
export function describeEvent(type: string, body: Body, when: When): DescribedEvent {
  const describe = Object.hasOwn(descriptions, type) ? descriptions[type] : undefined;
  const [sentence, kind, tone] = describe?.(body, when) ?? [type, 'other', 'neutral'];
  const amount = number(body.price_in_purchased_currency) ?? 0;
  const currency = text(body.currency);
  return { sentence, kind, tone, money: amount !== 0 && currency ? { amount, currency } : null };
}
