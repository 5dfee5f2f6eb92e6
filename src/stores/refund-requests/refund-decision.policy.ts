import type { StoreSettings } from '../../catalog/apps/store-fields.js';
import type { AttributeRow } from '../../customers/customers/identity/customer-state.js';
import type {
  AnswerReason,
  MatchedPolicy,
  RefundDecider,
  RefundPreference,
} from '../../../libs/targeting/index.js';

export const CONSENT_ATTRIBUTE = '$refundDataConsent';

/** The customer attribute that overrides the app's setting, by store. */
export const preferenceAttributes = {
  apple: '$appleRefundHandlingPreference',
  google: '$googleRefundHandlingPreference',
} as const;

/** Values of the attribute, in lower case. */
const preferences = new Map<string, RefundPreference>([
  ['do_not_handle', 'do_not_answer'],
  ['grant_full', 'grant_full'],
  ['grant_refund', 'grant_full'],
  ['grant_prorated', 'grant_prorated'],
  ['decline', 'decline'],
  ['decline_refund', 'decline'],
  ['let_apple_decide', 'neutral'],
  ['let_google_decide', 'neutral'],
]);

const agreeing = new Set(['true', 'yes', '1']);

const fixed = { grant_full: 'grant_full', decline: 'decline', let_apple_decide: 'neutral' } as const;

type RefundSettings = Pick<
  StoreSettings,
  'refund_request_handling' | 'refund_data_consent' | 'refund_attributes_from_sdk'
>;

export interface RefundCase {
  company: 'apple' | 'google';
  settings: RefundSettings;
  /** False for seats that another customer paid for, and for purchases shared in a family. */
  isOfBuyer: boolean;
  /** Attributes of the owner of the purchase; null if no customer owns it. */
  attributes: readonly AttributeRow[] | null;
  /** The first matching policy; null if no customer owns the purchase. */
  matched: MatchedPolicy | null;
}

export interface RefundDecision {
  /** Null: the owner of the purchase is not known yet. */
  preference: RefundPreference | null;
  reason: AnswerReason | null;
  decidedBy: RefundDecider | null;
  policyId: string | null;
  policyName: string | null;
  /** Minutes that the answer waits for a person. */
  holdMinutes: number;
  /** A text of the attribute that means nothing here. */
  unknownPreference: string | null;
}

const undecided: RefundDecision = {
  preference: null,
  reason: null,
  decidedBy: null,
  policyId: null,
  policyName: null,
  holdMinutes: 0,
  unknownPreference: null,
};

/** With the public key, customers could grant themselves refunds, so their apps' values count only if the app says so. */
function attributeOf(
  attributes: readonly AttributeRow[],
  name: string,
  { refund_attributes_from_sdk: fromSdk }: RefundSettings,
): string | null {
  const found = attributes.find((attribute) => attribute.name === name);
  return found && (found.source === 'api' || fromSdk === true) ? found.value : null;
}

/** Whether the customer agreed that the use of the purchase is reported. */
export function hasConsent(attributes: readonly AttributeRow[], settings: RefundSettings): boolean {
  const { refund_data_consent: consent } = settings;
  if (consent !== 'attribute') return consent === 'all_customers';
  return agreeing.has(attributeOf(attributes, CONSENT_ATTRIBUTE, settings)?.toLowerCase() ?? '');
}

function declined(reason: AnswerReason): RefundDecision {
  return { ...undecided, preference: 'do_not_answer', reason, decidedBy: 'setting' };
}

/** Decides how to answer a request. Its lines are in order: the first one that applies decides. */
export function decideRefund({
  company,
  settings,
  isOfBuyer,
  attributes,
  matched,
}: RefundCase): RefundDecision {
  const handling = settings.refund_request_handling ?? 'do_not_handle';
  if (handling === 'do_not_handle') return declined('off');
  if (!isOfBuyer) return declined('not_the_buyer');
  if (attributes === null || matched === null) return undecided;
  if (company === 'apple' && !hasConsent(attributes, settings)) return declined('no_consent');
  const text = attributeOf(attributes, preferenceAttributes[company], settings);
  const own = preferences.get(text?.toLowerCase() ?? '');
  if (own !== undefined) {
    const reason = own === 'do_not_answer' ? 'customer_attribute' : null;
    return { ...undecided, preference: own, reason, decidedBy: 'customer_attribute' };
  }
  const unknownPreference = text;
  if (handling !== 'policies')
    return { ...undecided, preference: fixed[handling], decidedBy: 'setting', unknownPreference };
  const { preference, ...policy } = matched;
  const reason = preference === 'do_not_answer' ? 'policy' : null;
  return { ...policy, preference, reason, decidedBy: 'policy', unknownPreference };
}

/** The decision for a purchase that no customer owns after all. */
export const unownedPurchase: RefundDecision = declined('unknown_purchase');
