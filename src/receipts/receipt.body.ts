import { isJsonObject } from '../../libs/kernel/index.js';
import { ApiError } from '../http/api-error.js';
import { assertAppUserId } from '../customers/app-user-id.js';
import { jsonBody } from '../http/json-body.js';

/** A posted receipt, as far as this server reads it. */
export interface ReceiptBody {
  appUserId: string;
  /** Null: no purchase, only an app transaction. */
  fetchToken: string | null;
  /** Amazon's name of the user. */
  storeUserId: string | null;
  /** The App Store's signed word about the installation. */
  appTransaction: string | null;
  productIds: string[];
  /** As the device says, in micros. */
  priceMicros: number | null;
  currency: string | null;
  storeCountry: string | null;
  isRestore: boolean;
  presentedOfferingId: string | null;
  /** Customer attributes as they came, not yet checked one by one; null when none came. */
  attributes: Record<string, unknown> | null;
}

const MAX_TEXT = 1500;
/** 10^7 units: no app store sells anything dearer, and micros stay exact. */
const MAX_PRICE = 10_000_000;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

function bad(field: string, what: string): ApiError {
  return ApiError.parameter(field, `${field} ${what}.`);
}

/** A text field that may be absent or null. NUL and lone surrogates cannot be stored. */
function text(body: Record<string, unknown>, field: string, maxLength = MAX_TEXT): string | null {
  const value = body[field];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw bad(field, 'must be a string');
  if (value.length > maxLength) throw bad(field, `must be at most ${maxLength} characters`);
  if (value.includes('\0') || !value.isWellFormed())
    throw bad(field, 'holds a character that cannot be stored');
  return value;
}

/** iOS sends decimals as text, Android and older clients as numbers. Prices are hints: a bad one is dropped. */
function priceMicros(value: unknown): number | null {
  const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0 || price > MAX_PRICE) return null;
  return Math.round(price * 1_000_000);
}

/** ISO 4217. An unknown code is dropped like a bad price: Android cannot read an answer that repeats it. */
function currencyOf(code: string | null): string | null {
  const upper = code?.toUpperCase() ?? '';
  return CURRENCIES.has(upper) ? upper : null;
}

function productIds(body: Record<string, unknown>): string[] {
  const one = text(body, 'product_id', 255);
  const several = body.product_ids;
  if (several === undefined || several === null) return one === null ? [] : [one];
  if (!Array.isArray(several))
    throw new ApiError('parameter', 'product_ids must be an array.', { code: 7662 });
  const ids = several.map((id, index) =>
    text({ [`product_ids.${index}`]: id as unknown }, `product_ids.${index}`, 255),
  );
  return [...new Set([one, ...ids])].filter((id) => id !== null);
}

/**
 * Reads the body of `POST /v1/receipts`. Unknown keys are ignored and nulls count as absent: what a phone
 * sends with a purchase must not stand in the way of the purchase.
 * @throws ApiError 400 for what can never become valid
 */
export function readReceiptBody(received: unknown): ReceiptBody {
  const body = jsonBody(received);
  assertAppUserId(body.app_user_id);
  const fetchToken = text(body, 'fetch_token', 10 * 1024 * 1024);
  const appTransaction = text(body, 'app_transaction', 1024 * 1024);
  if (fetchToken === null && appTransaction === null) {
    throw bad('fetch_token', 'is missing');
  }
  const claimed = text(body, 'currency');
  const currency = currencyOf(claimed);
  return {
    appUserId: body.app_user_id,
    fetchToken,
    storeUserId: text(body, 'store_user_id'),
    appTransaction,
    productIds: productIds(body),
    // An amount in an unknown currency is no price.
    priceMicros: claimed !== null && currency === null ? null : priceMicros(body.price),
    currency,
    storeCountry: text(body, 'store_country'),
    isRestore: body.is_restore === true,
    presentedOfferingId: text(body, 'presented_offering_identifier'),
    attributes: isJsonObject(body.attributes) ? body.attributes : null,
  };
}
