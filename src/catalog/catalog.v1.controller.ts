import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../auth/access.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import { assertAppUserId } from '../customers/app-user-id.js';
import type { ApiRequest } from '../http/request.js';
import { holdsAnswer, sendNotModified, sendSdkJson } from '../http/sdk-answer.js';
import { sdkCatalogModels, SdkOfferingsDto, SdkProductsDto } from './sdk-catalog.dto.js';
import { type SdkClient, SdkCatalogService, type SdkText } from './sdk-catalog.service.js';

function clientOf(request: ApiRequest): SdkClient {
  return {
    principal: request.principal as PublicKeyPrincipal | SecretKeyPrincipal,
    platform: request.headers['x-platform'] as string | undefined,
    sdkVersion: request.headers['x-version'] as string | undefined,
  };
}

function answer(request: ApiRequest, response: Response, { body, etag }: SdkText): void {
  if (holdsAnswer(request, etag)) sendNotModified(response, etag);
  else sendSdkJson(response, 200, body, etag);
}

@ApiTags('SDK')
@ApiExtraModels(...sdkCatalogModels)
@Controller()
export class CatalogV1Controller {
  constructor(@Inject(SdkCatalogService) private readonly catalog: SdkCatalogService) {}

  @Get('v1/subscribers/:app_user_id/offerings')
  @SdkAccess()
  @ApiOperation({ operationId: 'getOfferings', summary: 'Offerings with the packages of the calling app' })
  @ApiOkResponse({ type: SdkOfferingsDto })
  @ApiResponse({ status: 304, description: 'The SDK holds this answer (`X-RevenueCat-ETag`).' })
  async offerings(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    answer(request, response, await this.catalog.offerings(clientOf(request), appUserId));
  }

  @Get('rcbilling/v1/subscribers/:app_user_id/products')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getWebProducts',
    summary: 'Details and prices of products of the calling app',
  })
  @ApiQuery({
    name: 'id',
    type: [String],
    required: false,
    description: 'Store product id; may be repeated.',
  })
  @ApiOkResponse({ type: SdkProductsDto })
  @ApiResponse({ status: 304, description: 'The SDK holds this answer (`X-RevenueCat-ETag`).' })
  async products(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const ids = [(request.query as Record<string, unknown>).id ?? []]
      .flat()
      .filter((id) => typeof id === 'string');
    answer(request, response, await this.catalog.webProducts(clientOf(request), ids));
  }
}
