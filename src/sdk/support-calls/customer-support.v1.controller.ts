import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { CustomerAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { CustomerCenterAnswer, sendCustomerCenter, TICKET_NOT_SENT } from './customer-center.js';
import { FixedAnswer, NO_OFFERING_PRODUCTS, NOT_VERIFIED } from './fixed-answer.js';
import { HealthReportDto, sendHealthReport } from './health-report.js';
import { readEligibilityBody } from './offer.body.js';
import { eligibility, EligibilityBodyDto } from './offer.dto.js';
import { OffersService } from './offers.service.js';
import { SupportAddresses } from './support-addresses.js';

@ApiTags('Signed-in customers')
@Controller()
export class CustomerSupportV1Controller {
  constructor(
    private readonly offers: OffersService,
    private readonly catalog: SdkCatalogService,
    private readonly addresses: SupportAddresses,
  ) {}

  @Post('v1/customer/intro_eligibility')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnIntroEligibility',
    summary: 'Check the own eligibility for introductory offers',
    description:
      'As `POST /v1/subscribers/{app_user_id}/intro_eligibility`, for the customer of the access token.',
  })
  @ApiBody({ type: EligibilityBodyDto })
  @ApiOkResponse(eligibility)
  async introEligibility(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const identifiers = readEligibilityBody(request.body);
    const eligible = await this.offers.introEligibility(sdkClientOf(request), appUserId, identifiers);
    sendSdkJson(response, 200, JSON.stringify(Object.fromEntries(eligible)));
  }

  @Get('v1/customer/customercenter')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnCustomerCenter',
    summary: 'Get the customer center of the signed-in customer',
    description: 'As `GET /v1/customercenter/{app_user_id}`.',
  })
  @CustomerCenterAnswer()
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  customerCenter(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return sendCustomerCenter(this.addresses, request, response);
  }

  @Post('v1/customer/customercenter/support/create-ticket')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'createOwnSupportTicket',
    summary: 'Send a support ticket of the signed-in customer (not forwarded)',
    description: 'As `POST /v1/customercenter/support/create-ticket`: this server does not forward tickets.',
  })
  @FixedAnswer(TICKET_NOT_SENT)
  createTicket(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(TICKET_NOT_SENT));
  }

  @Get('v1/customer/health_report')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnHealthReport',
    summary: 'Get a health report of the app that the customer signed in to',
    description: 'As `GET /v1/subscribers/{app_user_id}/health_report`.',
  })
  @ApiOkResponse({ type: HealthReportDto })
  healthReport(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return sendHealthReport(this.catalog, request, response);
  }

  @Get('v1/customer/ads/reward_verifications/:client_transaction_id')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnRewardVerification',
    summary: 'Get the verification of an ad reward of the signed-in customer (none)',
    description: 'Ad rewards are not verified here. The answer stops the SDK from asking again.',
  })
  @FixedAnswer(NOT_VERIFIED)
  rewardVerification(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(NOT_VERIFIED));
  }

  @Get('rcbilling/v1/customer/offering_products')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnOfferingProducts',
    summary: 'List further web products of the signed-in customer (none)',
    description: 'Web products are part of offerings here, so this list is always empty.',
  })
  @FixedAnswer(NO_OFFERING_PRODUCTS)
  offeringProducts(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(NO_OFFERING_PRODUCTS));
  }
}
