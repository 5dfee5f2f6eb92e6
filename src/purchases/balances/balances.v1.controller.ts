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
import { SdkAccess } from '../../platform/auth/access.js';
import {
  callerOf,
  type PublicKeyPrincipal,
  type SecretKeyPrincipal,
} from '../../platform/principal/principal.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sdkEtag, sendSdkText } from '../../platform/http/sdk-answer.js';
import { type Balance, BalancesService } from './balances.service.js';

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

function presentBalances(balances: Balance[]): SdkVirtualCurrenciesDto {
  const entries: [string, SdkVirtualCurrencyDto][] = balances.map(
    ({ currency: { code, name, description }, balance }) => [
      code,
      { balance, name, code, description: description ?? undefined },
    ],
  );
  return { virtual_currencies: Object.fromEntries(entries) };
}

@ApiTags('SDK')
@ApiExtraModels(SdkVirtualCurrencyDto)
@Controller('v1/subscribers/:app_user_id/virtual_currencies')
export class BalancesV1Controller {
  constructor(private readonly balances: BalancesService) {}

  @Get()
  @SdkAccess('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'getVirtualCurrencies',
    summary: 'Get virtual currency balances',
    description: 'The balance of the customer in each virtual currency of the project.',
  })
  @ApiOkResponse({ type: SdkVirtualCurrenciesDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  async get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const principal = request.principal as PublicKeyPrincipal | SecretKeyPrincipal;
    const body = JSON.stringify(presentBalances(await this.balances.all(principal.projectId, appUserId)));
    sendSdkText(response, { body, etag: sdkEtag(callerOf(principal), body) });
  }
}
