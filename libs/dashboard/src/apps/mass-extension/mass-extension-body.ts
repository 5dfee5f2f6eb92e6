import type { Schema } from '../../api/types.js';

type Body = Schema<'MassExtendDto'>;

interface Typed {
  product_id: string;
  extend_by_days: string;
  extend_reason_code: string;
  environment: string;
  storefront_country_codes: string;
}

/** Converts the input to the body of `massExtendSubscriptions`. */
export const massExtensionBody = (typed: Typed) => ({
  product_id: typed.product_id,
  extend_by_days: Number(typed.extend_by_days),
  extend_reason_code: typed.extend_reason_code as Body['extend_reason_code'],
  environment: typed.environment as NonNullable<Body['environment']>,
  storefront_country_codes: typed.storefront_country_codes
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((code) => code !== ''),
});
