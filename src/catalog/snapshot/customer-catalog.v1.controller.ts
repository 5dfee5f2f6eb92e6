import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../platform/auth/access.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkText } from '../../platform/http/pipeline/sdk-answer.js';
import { SdkProductsDto } from './sdk-catalog.dto.js';
import { SdkCatalogService } from './sdk-catalog.service.js';
import { sdkClientOf, webProductsQuestionOf } from './sdk-client.js';

@ApiTags('Signed-in customers')
@Controller()
export class CustomerCatalogV1Controller {
  constructor(private readonly catalog: SdkCatalogService) {}

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
  @ApiQuery({
    name: 'currency',
    type: String,
    required: false,
    description: 'ISO 4217. Products without a price in it have their default price.',
  })
  @ApiOkResponse({ type: SdkProductsDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async products(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    sendSdkText(
      response,
      await this.catalog.webProducts(sdkClientOf(request), webProductsQuestionOf(request)),
    );
  }
}
