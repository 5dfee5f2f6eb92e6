import { alpha2Country, isJsonObject } from '../../../libs/kernel/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const FIELD = 'outside_purchase_tax_rates';
const ALL_BPS = 10_000;

/** Basis points by ISO 3166 alpha-2 code. @throws ApiError 400 */
export function readTaxRates(value: unknown): Record<string, number> {
  if (!isJsonObject(value)) throw ApiError.parameter(FIELD, `${FIELD} must be an object.`);
  const rates: Record<string, number> = {};
  for (const [country, rate] of Object.entries(value)) {
    const quoted = JSON.stringify(country.slice(0, 10));
    if (alpha2Country(country) !== country) {
      throw ApiError.parameter(FIELD, `${FIELD}: ${quoted} is not a country (ISO 3166 alpha-2).`);
    }
    if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < 0 || rate > ALL_BPS) {
      throw ApiError.parameter(FIELD, `${FIELD}: ${quoted} must be a whole number from 0 to ${ALL_BPS}.`);
    }
    rates[country] = rate;
  }
  return rates;
}
