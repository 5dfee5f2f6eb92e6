import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { ExternalPurchaseTokensService } from '../../purchases/external-purchases/external-purchase-tokens.service.js';

@BodyExample({ app_user_id: 'shopper', purchase_type: 'LINK_OUT', token: 'a token of StoreKit' })
class ExternalPurchaseTokenBodyDto {
  @ApiProperty({ type: String, example: 'shopper' })
  app_user_id: string;

  @ApiProperty({ type: String, required: false, description: '`IN_APP` or `LINK_OUT`.', example: 'LINK_OUT' })
  purchase_type?: string;

  @ApiProperty({ type: String, required: false, description: "Apple's token, as StoreKit returned it." })
  token?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The id that the SDK has given it: `ept` and 32 hexadecimal digits. Another one is ignored.',
  })
  id?: string;
}

class ExternalPurchaseTokenIdDto {
  @ApiProperty({ type: String, example: 'ept0f8fad5bd9cb469fa16570867728950e' })
  id: string;
}

@ApiTags('SDK')
@Controller('v1/external_purchase_tokens')
export class ExternalPurchaseTokensV1Controller {
  constructor(
    private readonly tokens: ExternalPurchaseTokensService,
    private readonly catalog: SdkCatalogService,
  ) {}

  @Post()
  @HttpCode(200)
  @SdkOrCustomerAccess('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'postExternalPurchaseToken',
    summary: 'Store the token of a purchase outside the App Store',
    description:
      'Stores a token that Apple issued for a purchase outside the App Store. An unreadable token, or one of another app, is stored as such. The same token again answers with its first id.',
  })
  @ApiBody({ type: ExternalPurchaseTokenBodyDto })
  @ApiOkResponse({ type: ExternalPurchaseTokenIdDto })
  @ApiTooManyRequestsResponse({ type: V1ErrorDto })
  async post(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body: Record<string, unknown> = isJsonObject(request.body) ? request.body : {};
    const { app_user_id: given, id, token, purchase_type: purchaseType } = body;
    const appUserId = typeof given === 'string' ? given : '';
    assertAppUserId(appUserId);
    const { catalog, app } = await this.catalog.caller(sdkClientOf(request));
    const stored = await this.tokens.store({
      projectId: catalog.projectId,
      appId: app.id,
      appUserId,
      device: deviceOf(request),
      address: request.ip ?? '',
      id,
      token,
      purchaseType,
    });
    const answer: ExternalPurchaseTokenIdDto = { id: stored };
    sendSdkJson(response, 200, JSON.stringify(answer));
  }
}
