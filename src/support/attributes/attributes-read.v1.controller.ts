import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SecretKeyAccess } from '../../platform/auth/access.js';
import type { SecretKeyPrincipal } from '../../platform/principal/principal.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import { attributesByName } from '../../customers/customers/customer-attributes.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sendSdkJson } from '../../platform/http/sdk-answer.js';
import { CustomerAttributesService } from './customer-attributes.service.js';

class SubscriberAttributesDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { value: { type: 'string' }, updated_at_ms: { type: 'integer' } },
      required: ['value', 'updated_at_ms'],
    },
  })
  subscriber_attributes: object;
}

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id')
export class AttributesReadV1Controller {
  constructor(private readonly attributes: CustomerAttributesService) {}

  @Get('attributes')
  @SecretKeyAccess('customer_information:customers:read')
  @ApiOperation({
    operationId: 'getAttributes',
    summary: 'List attributes of a customer',
    description: 'The attributes of a customer, sorted by name.',
  })
  @ApiOkResponse({ type: SubscriberAttributesDto })
  async list(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const { projectId } = request.principal as SecretKeyPrincipal;
    const attributes = attributesByName(await this.attributes.list(projectId, appUserId));
    sendSdkJson(response, 200, JSON.stringify({ subscriber_attributes: attributes }));
  }
}
