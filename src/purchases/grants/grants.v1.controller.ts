import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { grantDurations } from '../../../libs/engine/index.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { SecretKeyAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { storesOfPlatform } from '../../catalog/snapshot/platform.js';
import { backendInfo, customerInfoText } from '../../customers/customers/customer-info/customer-info.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { withStoreUrl } from '../../customers/customers/customer-info/management-url.js';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import { type GrantTerm, readGrantBody } from './grant.body.js';
import { type GrantResult, GrantsService } from './grants.service.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ duration: 'monthly' })
class PromotionalGrantDto {
  @ApiProperty({ type: 'integer', required: false, description: 'End, epoch milliseconds.' })
  end_time_ms?: number;

  @ApiProperty({ enum: grantDurations, required: false, deprecated: true })
  duration?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    deprecated: true,
    description: 'Start of `duration`, epoch milliseconds. The grant itself starts at once.',
  })
  start_time_ms?: number;
}

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id/entitlements/:entitlement_identifier')
export class GrantsV1Controller {
  constructor(private readonly grants: GrantsService) {}

  @Post('promotional')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'grantPromotional',
    summary: 'Grant an entitlement',
    description:
      'Grants an entitlement, named by its lookup key or id, for a duration; an unknown app user id becomes a new customer. Nothing changes if an active grant ends within 2 hours of the new end. An archived entitlement answers 400 (code 7226).',
  })
  @ApiBody({ type: PromotionalGrantDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  async grant(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('entitlement_identifier') entitlement: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const term = (nowMs: number): GrantTerm => readGrantBody(request.body, nowMs);
    const result = await this.grants.grant(write, { appUserId, entitlement, term, createsCustomer: true });
    this.answer(request, response, result);
  }

  @Post('revoke_promotionals')
  @HttpCode(200)
  @SecretKeyAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'revokePromotionals',
    summary: 'Revoke grants of an entitlement',
    description:
      'Ends every active grant of an entitlement at once. Purchases that unlock it stay as they are.',
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  async revoke(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('entitlement_identifier') entitlement: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.answer(request, response, await this.grants.revoke(write, appUserId, entitlement));
  }

  private answer(request: ApiRequest, response: Response, { customer, catalog }: GrantResult): void {
    const stores = storesOfPlatform(deviceOf(request).platform);
    const info = withStoreUrl(backendInfo(customer, catalog, request.receivedAtMs), stores);
    setAnswerTime(response, info.testClockMs);
    sendSdkJson(response, 200, customerInfoText(info, request.receivedAtMs));
  }
}
