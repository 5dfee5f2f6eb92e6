import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { AmazonConnection } from '../../stores/amazon/amazon.connection.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { FixedAnswer, NOT_VERIFIED } from './fixed-answer.js';

const NO_WORKFLOWS = { workflows: [], ui_config: {} };

/** Calls for features that this server lacks. Each returns an answer that its SDK handles well. */
@ApiTags('SDK')
@Controller('v1')
export class PurchaseSupportV1Controller {
  constructor(
    private readonly catalog: SdkCatalogService,
    private readonly apps: AppsService,
    private readonly amazon: AmazonConnection,
  ) {}

  @Get('subscribers/:app_user_id/ads/reward_verifications/:client_transaction_id')
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'getRewardVerification',
    summary: 'Get the verification of an ad reward (none)',
    description: 'Ad rewards are not verified here. The answer stops the SDK from asking again.',
  })
  @FixedAnswer(NOT_VERIFIED)
  rewardVerification(@Param('app_user_id') appUserId: string, @Res() response: Response): void {
    assertAppUserId(appUserId);
    sendSdkJson(response, 200, JSON.stringify(NOT_VERIFIED));
  }

  @Get('subscribers/:app_user_id/workflows')
  @SdkAccess()
  @ApiOperation({
    operationId: 'listSdkWorkflows',
    summary: 'List workflows (none)',
    description: 'This server has no workflows: the list is always empty.',
  })
  @FixedAnswer(NO_WORKFLOWS)
  workflows(@Param('app_user_id') appUserId: string, @Res() response: Response): void {
    assertAppUserId(appUserId);
    sendSdkJson(response, 200, JSON.stringify(NO_WORKFLOWS));
  }

  @Get('subscribers/:app_user_id/workflows/:workflow_id')
  @SdkAccess()
  @ApiOperation({
    operationId: 'getSdkWorkflow',
    summary: 'Get a workflow (none)',
    description: 'This server has no workflows: the answer is always 404 with code 7259.',
  })
  @ApiNotFoundResponse({ type: V1ErrorDto })
  workflow(@Param('workflow_id') workflowId: string): void {
    throw ApiError.missing('workflow', workflowId);
  }

  /** The receipt id is not encoded and may contain slashes. After an error, the SDK posts nothing and retries later. */
  @Get('receipts/amazon/:store_user_id/*receipt_id')
  @SdkAccess('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'getAmazonReceipt',
    summary: 'Get Amazon data about a receipt',
    description:
      'Requests a receipt from Amazon and returns its answer, in which the Amazon SDK finds the term SKU of a subscription.',
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiServiceUnavailableResponse({
    type: V1ErrorDto,
    description: 'Amazon cannot be asked (7101); the shared secret is missing or wrong (7104).',
  })
  async amazonReceipt(
    @Req() request: ApiRequest,
    @Param('store_user_id') userId: string,
    @Param('receipt_id') receiptId: string | string[],
    @Res() response: Response,
  ): Promise<void> {
    const { catalog, app } = await this.catalog.caller(sdkClientOf(request));
    const id = Array.isArray(receiptId) ? receiptId.join('/') : receiptId;
    const receipt = await this.amazon.receipt(await this.apps.get(catalog.projectId, app.id), userId, id);
    sendSdkJson(response, 200, JSON.stringify(receipt));
  }
}
