import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SecretKeyAccess } from '../auth/access.js';
import type { SecretKeyPrincipal } from '../auth/principal.js';
import { CustomerInfoDto } from '../customers/customer-info.dto.js';
import type { ApiRequest } from '../http/request.js';
import { assertDeferBody, assertExtendBody } from './store-action.body.js';
import { type StoreAction, StoreActionsService } from './store-actions.service.js';

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
  revoke(@Req() request: ApiRequest, @Param('product_identifier') name: string): Promise<never> {
    return this.run(request, 'revoke', 'product', name);
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
  async defer(@Req() request: ApiRequest, @Param('product_identifier') name: string): Promise<never> {
    assertDeferBody(request.body);
    return this.run(request, 'defer', 'product', name);
  }

  @Post('subscriptions/:store_transaction_identifier/cancel')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({ operationId: 'cancelStoreSubscription', summary: 'Turn renewal off', description })
  @ApiOkResponse({ type: CustomerInfoDto })
  cancel(@Req() request: ApiRequest, @Param('store_transaction_identifier') name: string): Promise<never> {
    return this.run(request, 'cancel', 'transaction', name);
  }

  @Post('subscriptions/:store_transaction_identifier/extend')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({ operationId: 'extendStoreSubscription', summary: 'Add days to the period', description })
  @ApiBody({ type: ExtendBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  async extend(
    @Req() request: ApiRequest,
    @Param('store_transaction_identifier') name: string,
  ): Promise<never> {
    assertExtendBody(request.body);
    return this.run(request, 'extend', 'transaction', name);
  }

  @Post('transactions/:store_transaction_identifier/refund')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:purchases:read_write')
  @ApiOperation({ operationId: 'refundTransaction', summary: 'Refund an order, end its access', description })
  @ApiOkResponse({ type: CustomerInfoDto })
  refund(@Req() request: ApiRequest, @Param('store_transaction_identifier') name: string): Promise<never> {
    return this.run(request, 'refund', 'transaction', name);
  }

  private run(
    request: ApiRequest,
    action: StoreAction,
    by: 'product' | 'transaction',
    name: string,
  ): Promise<never> {
    const { projectId } = request.principal as SecretKeyPrincipal;
    const appUserId = request.params.app_user_id as string;
    return this.actions.run({ projectId, appUserId, action, by, name });
  }
}
