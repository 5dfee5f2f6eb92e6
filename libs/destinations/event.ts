/** Kinds of events, by the names that tools know. */
export type Kind =
  | 'initial_purchase'
  | 'trial_started'
  | 'trial_converted'
  | 'renewal'
  | 'trial_cancelled'
  | 'cancellation'
  | 'uncancellation'
  | 'non_subscription_purchase'
  | 'subscription_paused'
  | 'expiration'
  | 'billing_issue'
  | 'product_change'
  | 'transfer'
  | 'refund_reversed';

/** Figures of a project as a message to a channel. Texts are not escaped. */
export interface DigestMessage {
  heading: string;
  lines: string[];
  /** The overview of the project. */
  url: string;
}

/** The recorded body of an event, as webhooks send it. Fields without a value are absent or null. */
export interface DestinationEvent {
  /** A UUID in upper case. */
  id: string;
  type: string;
  event_timestamp_ms?: number;
  app_id?: string | null;
  app_user_id?: string | null;
  original_app_user_id?: string | null;
  aliases?: string[] | null;
  product_id?: string | null;
  new_product_id?: string | null;
  entitlement_id?: string | null;
  entitlement_ids?: string[] | null;
  period_type?: string | null;
  purchased_at_ms?: number | null;
  expiration_at_ms?: number | null;
  grace_period_expiration_at_ms?: number | null;
  auto_resume_at_ms?: number | null;
  environment?: string | null;
  store?: string | null;
  presented_offering_id?: string | null;
  transaction_id?: string | null;
  original_transaction_id?: string | null;
  is_family_share?: boolean | null;
  is_trial_conversion?: boolean | null;
  currency?: string | null;
  /** USD; null if unknown. */
  price?: number | null;
  price_in_purchased_currency?: number | null;
  commission_percentage?: number | null;
  tax_percentage?: number | null;
  offer_code?: string | null;
  cancel_reason?: string | null;
  expiration_reason?: string | null;
  transferred_from?: string[] | null;
  transferred_to?: string[] | null;
  /** Only of the type `DIGEST`, which chat tools receive on request and nothing else does. */
  digest?: DigestMessage;
  subscriber_attributes?: Record<string, { value: string | null; updated_at_ms: number }> | null;
}

type KindFields = Pick<DestinationEvent, 'type' | 'period_type' | 'price' | 'is_trial_conversion'>;

function kindOfCancellation({ period_type, price }: KindFields): Kind {
  return period_type === 'TRIAL' && !(typeof price === 'number' && price < 0)
    ? 'trial_cancelled'
    : 'cancellation';
}

function kindOfInitialPurchase({ period_type }: KindFields): Kind {
  if (period_type === 'PROMOTIONAL') return 'non_subscription_purchase';
  return period_type === 'TRIAL' ? 'trial_started' : 'initial_purchase';
}

const kindsByType: ReadonlyMap<string, (event: KindFields) => Kind> = new Map([
  ['INITIAL_PURCHASE', kindOfInitialPurchase],
  ['RENEWAL', ({ is_trial_conversion }) => (is_trial_conversion === true ? 'trial_converted' : 'renewal')],
  ['CANCELLATION', kindOfCancellation],
  ['UNCANCELLATION', () => 'uncancellation'],
  ['NON_RENEWING_PURCHASE', () => 'non_subscription_purchase'],
  ['SUBSCRIPTION_PAUSED', () => 'subscription_paused'],
  ['EXPIRATION', () => 'expiration'],
  ['BILLING_ISSUE', () => 'billing_issue'],
  ['PRODUCT_CHANGE', () => 'product_change'],
  ['TRANSFER', () => 'transfer'],
  ['REFUND_REVERSED', () => 'refund_reversed'],
]);

/** Null for types that only `http` receives. */
export function kindOf(event: KindFields): Kind | null {
  return kindsByType.get(event.type)?.(event) ?? null;
}

/** The event types that may have a kind: the filter of the deliveries of a destination. */
export const eventTypesOfKind: Readonly<Record<Kind, readonly string[]>> = {
  initial_purchase: ['initial_purchase'],
  trial_started: ['initial_purchase'],
  trial_converted: ['renewal'],
  renewal: ['renewal'],
  trial_cancelled: ['cancellation'],
  cancellation: ['cancellation'],
  uncancellation: ['uncancellation'],
  non_subscription_purchase: ['non_renewing_purchase', 'initial_purchase'],
  subscription_paused: ['subscription_paused'],
  expiration: ['expiration'],
  billing_issue: ['billing_issue'],
  product_change: ['product_change'],
  transfer: ['transfer'],
  refund_reversed: ['refund_reversed'],
};

export const kinds = Object.keys(eventTypesOfKind) as Kind[];

const optionalKinds: readonly Kind[] = [
  'uncancellation',
  'non_subscription_purchase',
  'subscription_paused',
  'expiration',
  'billing_issue',
  'product_change',
  'transfer',
  'refund_reversed',
];

/** Kinds that reports about trials and subscriptions do without. */
export function isOptionalKind(kind: Kind): boolean {
  return optionalKinds.includes(kind);
}

/** Access that was granted by an administrator, not sold. */
export function isGrant({ period_type, store }: Pick<DestinationEvent, 'period_type' | 'store'>): boolean {
  return period_type === 'PROMOTIONAL' || store === 'PROMOTIONAL';
}
