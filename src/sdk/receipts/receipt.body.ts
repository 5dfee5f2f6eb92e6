import { isJsonObject } from '../../../libs/kernel/index.js';
import { isIsoCurrency, MAX_AMOUNT_MICROS } from '../../../libs/money/index.js';
import { adServicesTokenOf } from '../../support/attributes/attribution.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';

export interface ReceiptBody {
  appUserId: string;
  /** Null: no purchase, only an app transaction. */
  fetchToken: string | null;
  /** Amazon's user id. */
  storeUserId: string | null;
  /** The App Store's signed app transaction. */
  appTransaction: string | null;
  productIds: string[];
  /** As claimed by the device, in micros. */
  priceMicros: number | null;
  /** The claimed price is implausibly high, so no other price can be trusted either. */
  isPriceBeyond: boolean;
  currency: string | null;
  storeCountry: string | null;
  isRestore: boolean;
  presentedOfferingId: string | null;
  presentedPlacementId: string | null;
  targetingRule: { id: string; revision: number } | null;
  /** ISO 8601 durations of the product's introductory price and free trial. */
  introDuration: string | null;
  trialDuration: string | null;
  /** Customer attributes, not yet validated individually; null if none were sent. */
  attributes: Record<string, unknown> | null;
  /** Apple's attribution token. The SDK assumes that it is saved with the receipt. */
  adServicesToken: string | null;
}

const MAX_HINT = 255;
const MAX_PRODUCT_ID = 255;
const MICROS = 1_000_000;

function bad(field: string, what: string): ApiError {
  return ApiError.parameter(field, `${field} ${what}.`);
}

/** A text field that may be absent or null. NUL and lone surrogates cannot be stored. */
function text(body: Record<string, unknown>, field: string, maxLength: number): string | null {
  const value = body[field];
  if (value === undefined || value === null || value === '') return null;
  const problem = problemOf(value, maxLength);
  if (problem !== null) throw bad(field, problem);
  return value as string;
}

function problemOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > maxLength) return `must be at most ${maxLength} characters`;
  const isStorable = !value.includes('\0') && value.isWellFormed();
  return isStorable ? null : 'holds a character that cannot be stored';
}

/** An optional detail of the purchase. An invalid value is dropped, and the purchase still counts. */
function hint(body: Record<string, unknown>, field: string, maxLength = MAX_HINT): string | null {
  const value = body[field];
  return problemOf(value, maxLength) === null ? (value as string) || null : null;
}

/** iOS sends decimals as text, Android and older clients send numbers. Prices are hints: invalid ones are dropped. */
function priceMicros(value: unknown): number | null {
  const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) return null;
  return Math.round(price * MICROS);
}

/** ISO 4217. An unknown code is dropped like an invalid price: Android cannot parse a response that repeats it. */
function currencyOf(code: string | null): string | null {
  const upper = code?.toUpperCase() ?? '';
  return isIsoCurrency(upper) ? upper : null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Android repeats each product with its plan. Used only if no other field names a product. */
function platformProducts(value: unknown): unknown[] {
  return listOf(value).map((item) => (isJsonObject(item) ? item.product_id : null));
}

/** As sent with the offerings; may name a deleted rule. */
function targetingRuleOf(value: unknown): ReceiptBody['targetingRule'] {
  if (!isJsonObject(value)) return null;
  const id = hint(value, 'rule_id');
  const { revision } = value;
  return id !== null && Number.isSafeInteger(revision) ? { id, revision: revision as number } : null;
}

/** The store decides what was bought, so invalid product ids are dropped. */
function productIds(body: Record<string, unknown>): string[] {
  const isName = (id: unknown): id is string => id !== '' && problemOf(id, MAX_PRODUCT_ID) === null;
  const given = [body.product_id, ...listOf(body.product_ids)].filter(isName);
  const named = given.length > 0 ? given : platformProducts(body.platform_product_ids).filter(isName);
  return [...new Set(named)];
}

/**
 * Parses the body of `POST /v1/receipts`. Unknown keys are ignored, nulls count as absent, and optional fields with
 * invalid values are dropped: after a 4xx, the device would finish a purchase that was never recorded.
 * @throws ApiError 400 if the body can never become valid
 */
export function readReceiptBody(received: unknown): ReceiptBody {
  const body = jsonBody(received);
  assertAppUserId(body.app_user_id);
  const fetchToken = text(body, 'fetch_token', 10 * 1024 * 1024);
  const appTransaction = hint(body, 'app_transaction', 1024 * 1024);
  if (fetchToken === null && appTransaction === null) {
    throw bad('fetch_token', 'is missing');
  }
  const claimed = hint(body, 'currency');
  const currency = currencyOf(claimed);
  const price = priceMicros(body.price);
  const isPriceBeyond = price !== null && price > MAX_AMOUNT_MICROS;
  return {
    appUserId: body.app_user_id,
    fetchToken,
    storeUserId: hint(body, 'store_user_id'),
    appTransaction,
    productIds: productIds(body),
    // An amount in an unknown currency is useless.
    priceMicros: isPriceBeyond || (claimed !== null && currency === null) ? null : price,
    isPriceBeyond,
    currency,
    storeCountry: hint(body, 'store_country'),
    isRestore: body.is_restore === true,
    presentedOfferingId: hint(body, 'presented_offering_identifier'),
    presentedPlacementId: hint(body, 'presented_placement_identifier'),
    targetingRule: targetingRuleOf(body.applied_targeting_rule),
    introDuration: hint(body, 'intro_duration'),
    trialDuration: hint(body, 'trial_duration'),
    attributes: isJsonObject(body.attributes) ? body.attributes : null,
    adServicesToken: adServicesTokenOf(body),
  };
}
