import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { idempotencyKeyOf } from '../../platform/idempotency/idempotency-key.js';
import { REPLAYED_HEADER } from '../../platform/idempotency/idempotency.interceptor.js';
import type { CustomerTokenPrincipal } from '../../platform/principal/principal.js';
import { BalancesService } from './balances.service.js';
import { CurrencySpendsService } from './currency-spends.service.js';
import { SdkVirtualCurrenciesDto, sendBalances } from './sdk-balances.js';
import { readSpending, SpendBodyDto } from './spend.body.js';

@ApiTags('Signed-in customers')
@Controller('v1/customer/virtual_currencies')
export class CustomerBalancesV1Controller {
  constructor(
    private readonly balances: BalancesService,
    private readonly spends: CurrencySpendsService,
  ) {}

  @Get()
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnVirtualCurrencies',
    summary: 'Get the balances of the signed-in customer',
    description: 'The balance of the customer of the access token in each virtual currency of the project.',
  })
  @ApiOkResponse({ type: SdkVirtualCurrenciesDto })
  @ApiResponse({ status: 304, description: 'The SDK already has this answer (`X-RevenueCat-ETag`).' })
  get(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return sendBalances(this.balances, appUserId, request, response);
  }

  @Post('spend')
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'spendVirtualCurrencies',
    summary: 'Spend virtual currency',
    description:
      'Subtracts from balances of the customer of the access token, atomically and never below zero. Returns the new balances. No webhook is sent. Send an `Idempotency-Key`, so that a repeated request spends once.',
  })
  @ApiBody({ type: SpendBodyDto })
  @ApiOkResponse({ type: SdkVirtualCurrenciesDto })
  @ApiUnprocessableEntityResponse({
    type: V1ErrorDto,
    description: 'A balance is too low (7000); nothing is spent.',
  })
  async spend(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const key = idempotencyKeyOf(request);
    const spending = readSpending(request.body);
    const spender = request.principal as CustomerTokenPrincipal;
    const { status, body, isReplayed } = await this.spends.spend(spender, spending, key);
    if (isReplayed) response.setHeader(REPLAYED_HEADER, 'true');
    sendSdkJson(response, status, body);
  }
}
