import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../audit/project-write.js';
import { SecretKeyAccess } from '../auth/access.js';
import { backendInfo, customerInfoText } from '../customers/customer-info.js';
import { CustomerInfoDto } from '../customers/customer-info.dto.js';
import type { ApiRequest } from '../http/request.js';
import { sendSdkJson } from '../http/sdk-answer.js';
import { assertDeferBody, assertExtendBody } from './store-action.body.js';
import { type StoreActionRequest, StoreActionsService } from './store-actions.service.js';

class DeferBodyDto {
  @ApiProperty({ type: 'integer', required: false, description: 'New end, epoch milliseconds.' })
  expiry_time_ms?: number;

  @ApiProperty({ type: 'integer', required: false, minimum: 1, maximum: 365 })
  extend_by_days?: number;
}

class ExtendBodyDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 90 })
  extend_by_days: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 3,
    description: '0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage.',
  })
  extend_reason_code: number;
}

const description =
  '400 (code 7000) where the store of the purchase does not support it, 404 (code 7259) for an unknown purchase.';

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id')
export class StoreActionsV1Controller {
  constructor(@Inject(StoreActionsService) private readonly actions: StoreActionsService) {}

  @Post('subscriptions/:product_identifier/revoke')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'revokeSubscription',
    summary: 'Refund a subscription, end it now',
    description,
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  revoke(
    @CurrentWrite() write: ProjectWrite,
    @Req() request: ApiRequest,
    @Param('product_identifier') name: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.run(write, request, response, { action: 'revoke', by: 'product', name });
  }

  @Post('subscriptions/:product_identifier/defer')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'deferSubscription',
    summary: 'Move the renewal to a later time',
    description,
  })
  @ApiBody({ type: DeferBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  async defer(
    @CurrentWrite() write: ProjectWrite,
    @Req() request: ApiRequest,
    @Param('product_identifier') name: string,
    @Res() response: Response,
  ): Promise<void> {
    assertDeferBody(request.body);
    return this.run(write, request, response, { action: 'defer', by: 'product', name });
  }

  @Post('subscriptions/:store_transaction_identifier/cancel')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({ operationId: 'cancelStoreSubscription', summary: 'Turn renewal off', description })
  @ApiOkResponse({ type: CustomerInfoDto })
  cancel(
    @CurrentWrite() write: ProjectWrite,
    @Req() request: ApiRequest,
    @Param('store_transaction_identifier') name: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.run(write, request, response, { action: 'cancel', by: 'transaction', name });
  }

  @Post('subscriptions/:store_transaction_identifier/extend')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({ operationId: 'extendStoreSubscription', summary: 'Add days to the period', description })
  @ApiBody({ type: ExtendBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  async extend(
    @CurrentWrite() write: ProjectWrite,
    @Req() request: ApiRequest,
    @Param('store_transaction_identifier') name: string,
    @Res() response: Response,
  ): Promise<void> {
    assertExtendBody(request.body);
    return this.run(write, request, response, { action: 'extend', by: 'transaction', name });
  }

  @Post('transactions/:store_transaction_identifier/refund')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'refundTransaction',
    summary: 'Refund an order, end its access (Test Store)',
    description,
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  refund(
    @CurrentWrite() write: ProjectWrite,
    @Req() request: ApiRequest,
    @Param('store_transaction_identifier') name: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.run(write, request, response, { action: 'refund', by: 'transaction', name });
  }

  private async run(
    write: ProjectWrite,
    request: ApiRequest,
    response: Response,
    order: Omit<StoreActionRequest, 'appUserId'>,
  ): Promise<void> {
    const appUserId = request.params.app_user_id as string;
    const { customer, catalog } = await this.actions.run(write, { ...order, appUserId });
    const info = backendInfo(customer, catalog, request.receivedAtMs);
    sendSdkJson(response, 200, customerInfoText(info, request.receivedAtMs));
  }
}
