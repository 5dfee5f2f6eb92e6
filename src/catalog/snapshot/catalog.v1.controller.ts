import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkText } from '../../platform/http/pipeline/sdk-answer.js';
import { sdkCatalogModels, SdkEntitlementMappingDto, SdkProductsDto } from './sdk-catalog.dto.js';
import { SdkCatalogService } from './sdk-catalog.service.js';
import { sdkClientOf, webProductsQuestionOf } from './sdk-client.js';

@ApiTags('SDK')
@ApiExtraModels(...sdkCatalogModels)
@Controller()
export class CatalogV1Controller {
  constructor(private readonly catalog: SdkCatalogService) {}

  @Get('rcbilling/v1/subscribers/:app_user_id/products')
  @SdkOrCustomerAccess('project_configuration:products:read')
  @ApiOperation({
    operationId: 'getWebProducts',
    summary: 'List products with prices for the web',
    description:
      'Details and prices of products of the calling app, which web SDKs show before a purchase. Unknown ids are omitted.',
  })
  @ApiQuery({
    name: 'id',
    type: [String],
    required: false,
    description: 'Store product id; may be repeated.',
  })
  @ApiQuery({
    name: 'currency',
    type: String,
    required: false,
    description: 'ISO 4217. Products without a price in it have their default price.',
  })
  @ApiOkResponse({ type: SdkProductsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async products(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    sendSdkText(
      response,
      await this.catalog.webProducts(sdkClientOf(request), webProductsQuestionOf(request)),
    );
  }

  @Get('v1/product_entitlement_mapping')
  @SdkOrCustomerAccess('project_configuration:entitlements:read')
  @ApiOperation({
    operationId: 'getProductEntitlementMapping',
    summary: 'Get the entitlements of each product',
    description:
      'The entitlements of each product of the calling app. SDKs cache it for when they cannot reach the server.',
  })
  @ApiOkResponse({ type: SdkEntitlementMappingDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async entitlementMapping(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    sendSdkText(response, await this.catalog.entitlementMapping(sdkClientOf(request)));
  }
}
