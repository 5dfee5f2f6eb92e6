import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import { EmptyDto } from '../../platform/http/bodies/empty.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { AttributePostsService } from './attribute-posts.service.js';
import { sendAttributes } from './attributes.answer.js';
import { CustomerAttributesService } from './customer-attributes.service.js';
import {
  AdServicesBodyDto,
  AttributionBodyDto,
  SdkAttributesBodyDto,
  SubscriberAttributesDto,
} from './sdk-attributes.dto.js';

@ApiTags('Signed-in customers')
@Controller('v1/customer')
export class CustomerAttributesV1Controller {
  constructor(
    private readonly attributes: CustomerAttributesService,
    private readonly posts: AttributePostsService,
  ) {}

  @Get('attributes')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnAttributes',
    summary: 'List attributes of the signed-in customer',
    description: 'The attributes that the app or a backend set, sorted by name.',
  })
  @ApiOkResponse({ type: SubscriberAttributesDto })
  list(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return sendAttributes(this.attributes, appUserId, request, response);
  }

  @Post('attributes')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'postOwnAttributes',
    summary: 'Set attributes of the signed-in customer',
    description:
      'As `POST /v1/subscribers/{app_user_id}/attributes`, for the customer of the access token. After a 400 (code 7263), all attributes except those in `attribute_errors` are saved.',
  })
  @ApiBody({ type: SdkAttributesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async post(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.attributesOf(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }

  @Post('attribution')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'postOwnAttribution',
    summary: 'Save attribution data of the signed-in customer',
    description: 'As `POST /v1/subscribers/{app_user_id}/attribution`, for the customer of the access token.',
  })
  @ApiBody({ type: AttributionBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async attribution(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.attribution(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }

  @Post('adservices_attribution')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'postOwnAdServicesToken',
    summary: 'Save an Apple attribution token of the signed-in customer',
    description:
      'As `POST /v1/subscribers/{app_user_id}/adservices_attribution`, for the customer of the access token.',
  })
  @ApiBody({ type: AdServicesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async adServices(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.posts.adServicesToken(appUserId, request);
    sendSdkJson(response, 200, '{}');
  }
}
