import { IntField, NumberField, StringField } from '../../platform/http/bodies/fields.js';

const MAX_MS = 8_640_000_000_000_000;

/** A time in epoch ms. */
export const TimeField = (description: string, { required = false, nullable = false } = {}) =>
  IntField({ min: 0, max: MAX_MS, optional: !required, nullable, description, example: 1_760_000_000_000 });

export const importedStores = [
  'amazon',
  'app_store',
  'mac_app_store',
  'play_store',
  'promotional',
  'stripe',
  'rc_billing',
  'roku',
  'paddle',
  'test_store',
] as const;

export const periodTypes = ['normal', 'trial', 'intro', 'prepaid'];
export const ownerships = ['purchased', 'family_shared'];
export const environments = ['production', 'sandbox'];

export class ImportedPriceDto {
  @NumberField({ min: 0, max: 1_000_000_000, description: 'In units of the currency.', example: 9.99 })
  amount: number;

  @StringField({
    min: 3,
    max: 3,
    pattern: /^[A-Z]{3}$/,
    patternText: 'must be three capital letters',
    example: 'USD',
  })
  currency: string;
}
