import { BooleanField, EnumField, StringField } from '../../platform/http/bodies/fields.js';
import {
  externalPurchaseBindings,
  type ExternalPurchaseReports,
  fallbackCurrencies,
} from './external-purchase-reports.js';

/** How purchases at Stripe and Paddle without an id of a token find one. */
function BindField() {
  return EnumField(externalPurchaseBindings, {
    optional: true,
    description:
      '`id` (default): purchases at Stripe and Paddle name their token. `newest`: without an id, the only open token that the customer received in the 24 hours before the purchase.',
  });
}

export class ExternalPurchaseReportsDto {
  @BooleanField({
    optional: true,
    description: 'Report purchases at Stripe and Paddle that are bound to a token to Apple. Default: false.',
  })
  enabled?: boolean;

  @BindField()
  bind?: ExternalPurchaseReports['bind'];

  @EnumField(fallbackCurrencies, {
    optional: true,
    description: 'Used for purchases in a currency in which Apple accepts no reports. Default: EUR.',
  })
  fallback_currency?: ExternalPurchaseReports['fallback_currency'];
}

export class ExternalTransactionReportsDto {
  @BooleanField({
    optional: true,
    description: 'Report purchases at Stripe and Paddle that are bound to a token to Google. Default: false.',
  })
  enabled?: boolean;

  @BindField()
  bind?: ExternalPurchaseReports['bind'];

  @StringField({
    optional: true,
    nullable: true,
    max: 100,
    pattern: /^[A-Z][A-Z0-9_]*$/,
    patternText: 'must be a type of link that Google defines',
    description:
      "Google's type of the link to the offer (`externalOfferDetails.linkType`). Null: the app's program has no links.",
    example: 'LINK_TO_DIGITAL_CONTENT_OFFER',
  })
  link_type?: string | null;
}
