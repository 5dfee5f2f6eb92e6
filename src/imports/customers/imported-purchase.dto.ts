import { EnumField, IntField, ObjectField, StringField } from '../../platform/http/bodies/fields.js';
import {
  environments,
  ImportedPriceDto,
  importedStores,
  ownerships,
  TimeField,
} from './imported-item.dto.js';

const productTypes = [
  'subscription',
  'one_time',
  'consumable',
  'non_consumable',
  'non_renewing_subscription',
];

export class ImportedPurchaseDto {
  @StringField({ max: 100, description: 'An app of the project.' })
  app_id: string;

  @EnumField(importedStores)
  store: (typeof importedStores)[number];

  @StringField({ max: 511, example: 'coins_100' })
  product_identifier: string;

  @TimeField('When it was bought (ms).', { required: true })
  purchased_at: number;

  @StringField({ max: 1500, description: 'Transaction or order id.', example: 'GPA.3312-1234-5678-90123' })
  store_purchase_identifier: string;

  @EnumField(['owned', 'refunded'])
  status: 'owned' | 'refunded';

  @EnumField(environments, { optional: true, description: 'Default: `production`.' })
  environment?: 'production' | 'sandbox';

  @IntField({ min: 1, max: 1000, optional: true, description: 'Default: 1.' })
  quantity?: number;

  @ObjectField(() => ImportedPriceDto, { optional: true, nullable: true })
  price?: ImportedPriceDto | null;

  @TimeField('When it was refunded (ms).', { nullable: true })
  refunded_at?: number | null;

  @EnumField(ownerships, { optional: true })
  ownership?: 'purchased' | 'family_shared';

  @StringField({ max: 3, optional: true, nullable: true, example: 'US' })
  country?: string | null;

  @StringField({ max: 200, optional: true, nullable: true })
  presented_offering_id?: string | null;

  @StringField({ max: 1500, optional: true })
  purchase_token?: string;

  @EnumField(productTypes, { optional: true, description: 'Of a product that is not in the catalog.' })
  type?: string;
}
