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
import { SdkAccess } from '../../../platform/auth/access.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { sendCustomerInfo } from './customer-info.answer.js';
import { CustomerInfoDto, customerInfoModels } from './customer-info.dto.js';
import { CustomerInfoService } from './customer-info.service.js';

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
  get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return sendCustomerInfo(this.customerInfo, appUserId, request, response);
  }
}
