import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { CustomerCenterAnswer, sendCustomerCenter, TICKET_NOT_SENT } from './customer-center.js';
import { FixedAnswer } from './fixed-answer.js';
import { SupportAddresses } from './support-addresses.js';

/** The predefined screen of the mobile SDKs. */
@ApiTags('SDK')
@Controller('v1/customercenter')
export class CustomerCenterV1Controller {
  constructor(private readonly addresses: SupportAddresses) {}

  @Get(':app_user_id')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getCustomerCenter',
    summary: 'Get the customer center',
    description:
      'The screens that the customer center of the SDKs shows: restoring purchases and cancelling a subscription.',
  })
  @CustomerCenterAnswer()
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    return sendCustomerCenter(this.addresses, request, response);
  }

  @Post('support/create-ticket')
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'createSupportTicket',
    summary: 'Send a support ticket (not forwarded)',
    description:
      'Answers that the ticket was not sent: this server does not forward tickets. Show your own contact in the customer center.',
  })
  @FixedAnswer(TICKET_NOT_SENT)
  createTicket(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(TICKET_NOT_SENT));
  }
}
