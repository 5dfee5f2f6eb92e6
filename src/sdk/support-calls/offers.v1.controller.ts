import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { readEligibilityBody, readOffersBody } from './offer.body.js';
import {
  eligibility,
  EligibilityBodyDto,
  OffersBodyDto,
  OfferToSignDto,
  presentSignedOffer,
  SignedOffersDto,
} from './offer.dto.js';
import { OffersService } from './offers.service.js';

@ApiTags('SDK')
@ApiExtraModels(OfferToSignDto)
@Controller('v1')
export class OffersV1Controller {
  constructor(private readonly offers: OffersService) {}

  @Post('offers')
  @HttpCode(200)
  @SdkOrCustomerAccess('customer_information:subscriptions:read')
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
  @ApiOkResponse(eligibility)
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
