import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkOfferingsDto } from '../../catalog/snapshot/sdk-catalog.dto.js';
import { CustomerAccess, SdkAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkText } from '../../platform/http/pipeline/sdk-answer.js';
import { SdkOfferingsService } from './sdk-offerings.service.js';

@Controller()
export class SdkOfferingsV1Controller {
  constructor(private readonly offerings: SdkOfferingsService) {}

  @Get('v1/subscribers/:app_user_id/offerings')
  @ApiTags('SDK')
  @SdkAccess('project_configuration:offerings:read', 'customer_information:customers:read')
  @ApiOperation({
    operationId: 'getOfferings',
    summary: 'Get the offerings of an app',
    description:
      'The offerings that the app may show, with their packages and the products of the calling app. Which one is current, and which one each placement shows, is decided by an override of the customer, an experiment, a targeting rule or the current offering of the project. With a public key or an access token, a customer whom a running experiment admits joins it.',
  })
  @ApiOkResponse({ type: SdkOfferingsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    sendSdkText(response, await this.offerings.answer(request, appUserId));
  }

  @Get('v1/customer/offerings')
  @ApiTags('Signed-in customers')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnOfferings',
    summary: 'Get the offerings of the signed-in customer',
    description: 'As `GET /v1/subscribers/{app_user_id}/offerings`, for the customer of the access token.',
  })
  @ApiOkResponse({ type: SdkOfferingsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async getOwn(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendSdkText(response, await this.offerings.answer(request, appUserId));
  }
}
