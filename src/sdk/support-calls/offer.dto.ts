import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import type { SignedOffer } from './offers.service.js';

export class OfferToSignDto {
  @ApiProperty({ type: String })
  offer_id: string;

  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ type: String, required: false })
  subscription_group?: string;
}

@BodyExample({
  app_user_id: 'ada',
  generate_offers: [{ offer_id: 'spring_sale', product_id: 'pro_monthly' }],
})
export class OffersBodyDto {
  @ApiProperty({ type: String })
  app_user_id: string;

  @ApiProperty({ type: [OfferToSignDto], maxItems: 50 })
  generate_offers: OfferToSignDto[];
}

export class OfferSignatureDto {
  @ApiProperty({ type: String, format: 'uuid' })
  nonce: string;

  @ApiProperty({ type: String, description: 'DER in base64.' })
  signature: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  timestamp: number;
}

export class SignedOfferDto {
  @ApiProperty({ type: String })
  key_id: string;

  @ApiProperty({ type: String })
  offer_id: string;

  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ type: OfferSignatureDto })
  signature_data: OfferSignatureDto;

  @ApiProperty({ type: 'null', nullable: true })
  signature_error: null;
}

export class SignedOffersDto {
  @ApiProperty({ type: [SignedOfferDto] })
  offers: SignedOfferDto[];
}

@BodyExample({ product_identifiers: ['pro_monthly'] })
export class EligibilityBodyDto {
  @ApiProperty({ type: [String], maxItems: 500 })
  product_identifiers: string[];

  @ApiProperty({ type: String, required: false })
  fetch_token?: string;
}

export function presentSignedOffer(offer: SignedOffer): SignedOfferDto {
  const { keyId, offerId, productId, nonce, signature, timestampMs } = offer;
  return {
    key_id: keyId,
    offer_id: offerId,
    product_id: productId,
    signature_data: { nonce, signature, timestamp: timestampMs },
    signature_error: null,
  };
}

/** The answer about introductory offers. */
export const eligibility = {
  description: 'By product id; null if unknown.',
  schema: { type: 'object', additionalProperties: { type: 'boolean', nullable: true } },
};
