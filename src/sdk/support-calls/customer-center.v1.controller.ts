import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import {
  callerOf,
  type PublicKeyPrincipal,
  type SecretKeyPrincipal,
} from '../../platform/principal/principal.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sdkEtag, sendSdkJson, sendSdkText } from '../../platform/http/sdk-answer.js';
import { FixedAnswer } from './fixed-answer.js';

const RESTORE = { id: 'restore', title: 'Check for missing purchases', type: 'MISSING_PURCHASE' };
const CANCEL = { id: 'cancel', title: 'Cancel subscription', type: 'CANCEL' };

/** Without any one of these fields, some SDK shows an error instead of the screen. */
const CUSTOMER_CENTER = {
  customer_center: {
    appearance: { light: {}, dark: {} },
    screens: {
      MANAGEMENT: { type: 'MANAGEMENT', title: 'Manage your subscription', paths: [RESTORE, CANCEL] },
      NO_ACTIVE: { type: 'NO_ACTIVE', title: 'No active subscriptions', paths: [RESTORE] },
    },
    localization: { locale: 'en_US', localized_strings: {} },
    support: { email: '' },
    change_plans: [],
  },
};
const TEXT = JSON.stringify(CUSTOMER_CENTER);
const NOT_SENT = { sent: false };

/** The ready-made screen of the mobile SDKs. */
@ApiTags('SDK')
@Controller('v1/customercenter')
export class CustomerCenterV1Controller {
  @Get(':app_user_id')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getCustomerCenter',
    summary: 'Get the customer center',
    description:
      'The screens that the customer center of the SDKs shows: restoring purchases and cancelling a subscription.',
  })
  @FixedAnswer(CUSTOMER_CENTER)
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  get(@Param('app_user_id') appUserId: string, @Req() request: ApiRequest, @Res() response: Response): void {
    assertAppUserId(appUserId);
    const caller = callerOf(request.principal as PublicKeyPrincipal | SecretKeyPrincipal);
    sendSdkText(response, { body: TEXT, etag: sdkEtag(caller, TEXT) });
  }

  @Post('support/create-ticket')
  @HttpCode(200)
  @SdkAccess()
  @ApiOperation({
    operationId: 'createSupportTicket',
    summary: 'Send a support ticket (not forwarded)',
    description:
      'Answers that the ticket was not sent: this server forwards no tickets. Show your own contact in the customer center.',
  })
  @FixedAnswer(NOT_SENT)
  createTicket(@Res() response: Response): void {
    sendSdkJson(response, 200, JSON.stringify(NOT_SENT));
  }
}
