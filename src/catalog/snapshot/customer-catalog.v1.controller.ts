import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sendSdkText } from '../../platform/http/sdk-answer.js';
import { SdkOfferingsDto, SdkProductsDto } from './sdk-catalog.dto.js';
import { SdkCatalogService } from './sdk-catalog.service.js';
import { sdkClientOf, storeIdentifiersOf } from './sdk-client.js';

@ApiTags('Signed-in customers')
@Controller()
export class CustomerCatalogV1Controller {
  constructor(private readonly catalog: SdkCatalogService) {}

  @Get('v1/customer/offerings')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnOfferings',
    summary: 'Get the offerings of the signed-in customer',
    description: 'As `GET /v1/subscribers/{app_user_id}/offerings`, for the customer of the access token.',
  })
  @ApiOkResponse({ type: SdkOfferingsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async offerings(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendSdkText(response, await this.catalog.offerings(sdkClientOf(request), appUserId));
  }

  @Get('rcbilling/v1/customer/products')
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnWebProducts',
    summary: 'List products with prices for the signed-in customer',
    description:
      'As `GET /rcbilling/v1/subscribers/{app_user_id}/products`, for the customer of the access token.',
  })
  @ApiQuery({
    name: 'id',
    type: [String],
    required: false,
    description: 'Store product id; may be repeated.',
  })
  @ApiOkResponse({ type: SdkProductsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async products(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    sendSdkText(response, await this.catalog.webProducts(sdkClientOf(request), storeIdentifiersOf(request)));
  }
}
