import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { SecretKeyAccess } from '../../platform/auth/access.js';
import { storesOfPlatform } from '../../catalog/snapshot/platform.js';
import { customerInfoText } from '../../customers/customers/customer-info/customer-info.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { withStoreUrl } from '../../customers/customers/customer-info/management-url.js';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import { readDeferBody, readExtendBody } from './store-action.body.js';
import { type StoreActionRequest, StoreActionsService } from './store-actions.service.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ extend_by_days: 7 })
class DeferBodyDto {
  @ApiProperty({ type: 'integer', required: false, description: 'New end, epoch milliseconds.' })
  expiry_time_ms?: number;

  @ApiProperty({ type: 'integer', required: false, minimum: 1, maximum: 365 })
  extend_by_days?: number;
}

@BodyExample({ extend_by_days: 7, extend_reason_code: 1 })
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

const refusals =
  'Answers 400 with code 7000 if the store does not support it and with code 7101 if the store refuses, and 404 ' +
  '(code 7259) for an unknown purchase.';

const unreachable = { type: V1ErrorDto, description: 'The store cannot be reached.' };

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id')
export class StoreActionsV1Controller {
  constructor(private readonly actions: StoreActionsService) {}

  @Post('subscriptions/:product_identifier/revoke')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'revokeSubscription',
    summary: 'Revoke a subscription',
    description: `Refunds a subscription and ends its access now. An add-on may be named by its product; then only the add-on is revoked. ${refusals}`,
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiServiceUnavailableResponse(unreachable)
  revoke(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('product_identifier') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const action = { appUserId, order: { action: 'revoke' }, by: 'product', name } as const;
    return this.run(write, action, request, response);
  }

  @Post('subscriptions/:product_identifier/defer')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'deferSubscription',
    summary: 'Defer a renewal',
    description: `Moves the renewal of a subscription to a later time. ${refusals}`,
  })
  @ApiBody({ type: DeferBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiServiceUnavailableResponse(unreachable)
  defer(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('product_identifier') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const order = { action: 'defer', options: readDeferBody(request.body) } as const;
    return this.run(write, { appUserId, order, by: 'product', name }, request, response);
  }

  @Post('subscriptions/:store_transaction_identifier/cancel')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'cancelStoreSubscription',
    summary: 'Cancel a subscription',
    description: `Turns the automatic renewal of a subscription off; access lasts until the end of the period. ${refusals}`,
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiServiceUnavailableResponse(unreachable)
  cancel(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('store_transaction_identifier') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const action = { appUserId, order: { action: 'cancel' }, by: 'transaction', name } as const;
    return this.run(write, action, request, response);
  }

  @Post('subscriptions/:store_transaction_identifier/extend')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:subscriptions:read_write')
  @ApiOperation({
    operationId: 'extendStoreSubscription',
    summary: 'Extend a subscription',
    description: `Adds days to the current period of a subscription. ${refusals}`,
  })
  @ApiBody({ type: ExtendBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiServiceUnavailableResponse(unreachable)
  extend(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('store_transaction_identifier') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const order = { action: 'extend', options: readExtendBody(request.body) } as const;
    return this.run(write, { appUserId, order, by: 'transaction', name }, request, response);
  }

  @Post('transactions/:store_transaction_identifier/refund')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'refundTransaction',
    summary: 'Refund a transaction',
    description: `Refunds an order and ends its access. ${refusals}`,
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiServiceUnavailableResponse(unreachable)
  refund(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('store_transaction_identifier') name: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const action = { appUserId, order: { action: 'refund' }, by: 'transaction', name } as const;
    return this.run(write, action, request, response);
  }

  private async run(
    write: ProjectWrite,
    action: StoreActionRequest,
    request: ApiRequest,
    response: Response,
  ): Promise<void> {
    const stores = storesOfPlatform(deviceOf(request).platform);
    const info = withStoreUrl(await this.actions.run(write, action), stores);
    setAnswerTime(response, info.testClockMs);
    sendSdkJson(response, 200, customerInfoText(info, request.receivedAtMs));
  }
}
