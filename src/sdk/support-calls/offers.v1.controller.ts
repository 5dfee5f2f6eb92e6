import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sendSdkJson } from '../../platform/http/sdk-answer.js';
import { readEligibilityBody, readOffersBody } from './offer.body.js';
import { OffersService, type SignedOffer } from './offers.service.js';
import { BodyExample } from '../../platform/http/body-example.js';

class OfferToSignDto {
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
class OffersBodyDto {
  @ApiProperty({ type: String })
  app_user_id: string;

  @ApiProperty({ type: [OfferToSignDto], maxItems: 50 })
  generate_offers: OfferToSignDto[];
}

class OfferSignatureDto {
  @ApiProperty({ type: String, format: 'uuid' })
  nonce: string;

  @ApiProperty({ type: String, description: 'DER in base64.' })
  signature: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  timestamp: number;
}

class SignedOfferDto {
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

class SignedOffersDto {
  @ApiProperty({ type: [SignedOfferDto] })
  offers: SignedOfferDto[];
}

@BodyExample({ product_identifiers: ['pro_monthly'] })
class EligibilityBodyDto {
  @ApiProperty({ type: [String], maxItems: 500 })
  product_identifiers: string[];

  @ApiProperty({ type: String, required: false })
  fetch_token?: string;
}

function presentSignedOffer(offer: SignedOffer): SignedOfferDto {
  const { keyId, offerId, productId, nonce, signature, timestampMs } = offer;
  return {
    key_id: keyId,
    offer_id: offerId,
    product_id: productId,
    signature_data: { nonce, signature, timestamp: timestampMs },
    signature_error: null,
  };
}

@ApiTags('SDK')
@ApiExtraModels(OfferToSignDto)
@Controller('v1')
export class OffersV1Controller {
  constructor(private readonly offers: OffersService) {}

  @Post('offers')
  @HttpCode(200)
  @SdkAccess('customer_information:subscriptions:read')
  @ApiOperation({
    operationId: 'signPromotionalOffers',
    summary: 'Sign promotional offers',
    description:
      'Signs promotional offers of the App Store, with which the iOS SDK buys at a reduced price. The app needs its in-app purchase key.',
  })
  @ApiBody({ type: OffersBodyDto })
  @ApiOkResponse({ type: SignedOffersDto })
  async sign(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body = readOffersBody(request.body);
    const storeKitVersion = request.headers['x-storekit-version'] === '2' ? 2 : 1;
    const signed = await this.offers.sign(sdkClientOf(request), { ...body, storeKitVersion });
    const answer: SignedOffersDto = { offers: signed.map(presentSignedOffer) };
    sendSdkJson(response, 200, JSON.stringify(answer));
  }

  @Post('subscribers/:app_user_id/intro_eligibility')
  @HttpCode(200)
  @SdkAccess('customer_information:subscriptions:read')
  @ApiOperation({
    operationId: 'getIntroEligibility',
    summary: 'Check eligibility for introductory offers',
    description:
      'Returns for each product whether the customer is still eligible for its introductory offer.',
  })
  @ApiBody({ type: EligibilityBodyDto })
  @ApiOkResponse({
    description: 'By product id; null if unknown.',
    schema: { type: 'object', additionalProperties: { type: 'boolean', nullable: true } },
  })
  async introEligibility(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const identifiers = readEligibilityBody(request.body);
    const eligible = await this.offers.introEligibility(sdkClientOf(request), appUserId, identifiers);
    sendSdkJson(response, 200, JSON.stringify(Object.fromEntries(eligible)));
  }
}
