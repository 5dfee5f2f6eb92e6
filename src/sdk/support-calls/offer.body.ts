import { isJsonObject } from '../../../libs/kernel/index.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const MAX_OFFERS = 50;
const MAX_PRODUCTS = 500;
const MAX_LENGTH = 255;

function object(value: unknown, field: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw ApiError.parameter(field, `${field} must be a JSON object.`);
  return value;
}

function list(value: unknown, field: string, max: number): unknown[] {
  if (!Array.isArray(value) || value.length > max)
    throw ApiError.parameter(field, `${field} must be an array of at most ${max} items.`);
  return value;
}

function identifier(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH)
    throw ApiError.parameter(field, `${field} must be a string of 1 to ${MAX_LENGTH} characters.`);
  return value;
}

/** Reads the body of `POST /v1/offers`. @throws ApiError 400 */
export function readOffersBody(value: unknown): {
  appUserId: string;
  offers: { offerId: string; productId: string }[];
} {
  const body = object(value, 'body');
  assertAppUserId(body.app_user_id);
  const offers = list(body.generate_offers, 'generate_offers', MAX_OFFERS).map((item, index) => {
    const field = `generate_offers.${index}`;
    const offer = object(item, field);
    return {
      offerId: identifier(offer.offer_id, `${field}.offer_id`),
      productId: identifier(offer.product_id, `${field}.product_id`),
    };
  });
  return { appUserId: body.app_user_id, offers };
}

/** Reads the product identifiers of `POST /v1/subscribers/{id}/intro_eligibility`. @throws ApiError 400 */
export function readEligibilityBody(value: unknown): string[] {
  const field = 'product_identifiers';
  const items = list(object(value, 'body')[field], field, MAX_PRODUCTS);
  return items.map((item, index) => identifier(item, `${field}.${index}`));
}
