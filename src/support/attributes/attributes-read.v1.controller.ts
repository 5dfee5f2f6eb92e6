import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerOrSecretKeyAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendAttributes } from './attributes.answer.js';
import { CustomerAttributesService } from './customer-attributes.service.js';
import { SubscriberAttributesDto } from './sdk-attributes.dto.js';

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id')
export class AttributesReadV1Controller {
  constructor(private readonly attributes: CustomerAttributesService) {}

  @Get('attributes')
  @CustomerOrSecretKeyAccess('customer_information:customers:read')
  @ApiOperation({
    operationId: 'getAttributes',
    summary: 'List attributes of a customer',
    description: 'The attributes of a customer, sorted by name. An access token reads only its own customer.',
  })
  @ApiOkResponse({ type: SubscriberAttributesDto })
  async list(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    await sendAttributes(this.attributes, appUserId, request, response);
  }
}
