import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../platform/principal/principal.js';
import type { ApiRequest } from '../../platform/http/request.js';
import {
  holdsAnswer,
  sdkEtag,
  sendNotModified,
  sendSdkJson,
  setAnswerTime,
} from '../../platform/http/sdk-answer.js';
import { customerInfoText } from './customer-info.js';
import { CustomerInfoDto, customerInfoModels } from './customer-info.dto.js';
import { CustomerInfoService } from './customer-info.service.js';
import { shownDevice } from './device.js';

@ApiTags('SDK')
@ApiExtraModels(...customerInfoModels)
@Controller('v1/subscribers')
export class SubscribersV1Controller {
  constructor(private readonly customerInfo: CustomerInfoService) {}

  @Get(':app_user_id')
  @SdkAccess('customer_information:customers:read')
  @ApiOperation({
    operationId: 'getCustomerInfo',
    summary: 'Get what a customer owns',
    description:
      'Subscriptions, one-time purchases and entitlements of a customer. An unknown app user id becomes a new customer. The call that SDKs make most.',
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiCreatedResponse({ type: CustomerInfoDto, description: 'This call created the customer.' })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const principal = request.principal as PublicKeyPrincipal | SecretKeyPrincipal;
    const device = shownDevice(request);
    // Express answers HEAD through this handler.
    const onlyLooks = request.method === 'HEAD';
    const reader = { principal, device, onlyLooks };
    const info = await this.customerInfo.getOrCreate(principal.projectId, appUserId, reader);
    setAnswerTime(response, info.testClockMs);
    const caller =
      principal.kind === 'public_key'
        ? [principal.appId]
        : [JSON.stringify(info.attributes), device?.platform ?? ''];
    const etag = sdkEtag(info.etag, ...caller);
    if (holdsAnswer(request, etag)) return sendNotModified(response, etag);
    const body = customerInfoText(info, request.receivedAtMs);
    sendSdkJson(response, info.created ? 201 : 200, body, etag);
  }
}
