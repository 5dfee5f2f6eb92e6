import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import { EmptyDto } from '../../platform/http/bodies/empty.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { AttributePostsService } from './attribute-posts.service.js';
import { AdServicesBodyDto, AttributionBodyDto, SdkAttributesBodyDto } from './sdk-attributes.dto.js';

@ApiTags('SDK')
@Controller('v1/subscribers/:app_user_id')
export class AttributesV1Controller {
  constructor(private readonly posts: AttributePostsService) {}

  @Post('attributes')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAttributes',
    summary: 'Set attributes of a customer',
    description:
      'Saves attributes of a customer from an SDK; an unknown app user id becomes a new customer. After a 400 (code 7263), all attributes except those in `attribute_errors` are saved.',
  })
  @ApiBody({ type: SdkAttributesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async post(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.attributesOf(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }

  @Post('attribution')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAttribution',
    summary: 'Save attribution data',
    description: 'Saves what an attribution network reported as attributes of the customer.',
  })
  @ApiBody({ type: AttributionBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async attribution(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.attribution(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }

  @Post('adservices_attribution')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAdServicesToken',
    summary: 'Save an Apple attribution token',
    description: 'Saves the AdServices token of an Apple device as an attribute of the customer.',
  })
  @ApiBody({ type: AdServicesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async adServices(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.adServicesToken(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }
}
