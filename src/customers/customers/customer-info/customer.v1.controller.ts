import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../../platform/auth/access.js';
import { SignedInAppUserId } from '../../../platform/auth/current-principal.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { sendCustomerInfo } from './customer-info.answer.js';
import { CustomerInfoDto } from './customer-info.dto.js';
import { CustomerInfoService } from './customer-info.service.js';

@ApiTags('Signed-in customers')
@Controller('v1/customer')
export class CustomerV1Controller {
  constructor(private readonly customerInfo: CustomerInfoService) {}

  @Get()
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnCustomerInfo',
    summary: 'Get what the signed-in customer owns',
    description: 'As `GET /v1/subscribers/{app_user_id}`, for the customer of the access token.',
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiCreatedResponse({ type: CustomerInfoDto, description: 'This call created the customer.' })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  get(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return sendCustomerInfo(this.customerInfo, appUserId, request, response);
  }
}
