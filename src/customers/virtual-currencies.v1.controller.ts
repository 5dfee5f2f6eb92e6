import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../auth/access.js';
import type { ApiRequest } from '../http/request.js';
import { holdsAnswer, sdkEtag, sendNotModified, sendSdkJson } from '../http/sdk-answer.js';
import { assertAppUserId } from './app-user-id.js';

class SdkVirtualCurrencyDto {
  @ApiProperty({ type: 'integer' })
  balance: number;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  code: string;

  @ApiProperty({ type: String, required: false })
  description?: string;
}

class SdkVirtualCurrenciesDto {
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(SdkVirtualCurrencyDto) } })
  virtual_currencies: Record<string, SdkVirtualCurrencyDto>;
}

/** Projects cannot define currencies yet, so every customer's list is empty: the SDKs want the outer key. */
const NONE = JSON.stringify({ virtual_currencies: {} });

@ApiTags('SDK')
@ApiExtraModels(SdkVirtualCurrencyDto)
@Controller('v1/subscribers/:app_user_id/virtual_currencies')
export class VirtualCurrenciesV1Controller {
  @Get()
  @SdkAccess()
  @ApiOperation({ operationId: 'getVirtualCurrencies', summary: "Balances of the project's currencies" })
  @ApiOkResponse({ type: SdkVirtualCurrenciesDto })
  @ApiResponse({ status: 304, description: 'The SDK holds this answer (`X-RevenueCat-ETag`).' })
  get(@Param('app_user_id') appUserId: string, @Req() request: ApiRequest, @Res() response: Response): void {
    assertAppUserId(appUserId);
    const etag = sdkEtag(NONE);
    if (holdsAnswer(request, etag)) return sendNotModified(response, etag);
    return sendSdkJson(response, 200, NONE, etag);
  }
}
