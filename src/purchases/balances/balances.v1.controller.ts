import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { BalancesService } from './balances.service.js';
import { SdkVirtualCurrenciesDto, SdkVirtualCurrencyDto, sendBalances } from './sdk-balances.js';

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
    await sendBalances(this.balances, appUserId, request, response);
  }
}
