import { Controller, Delete, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { SecretKeyAccess } from '../../platform/auth/access.js';
import { storesOfPlatform } from '../../catalog/snapshot/platform.js';
import { customerInfoText } from '../customers/customer-info/customer-info.js';
import { deviceOf } from '../customers/last-seen/device.js';
import { withStoreUrl } from '../customers/customer-info/management-url.js';
import { CustomerInfoDto } from '../customers/customer-info/customer-info.dto.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import { OfferingOverridesService } from './offering-overrides.service.js';

@ApiTags('REST v1')
@Controller('v1/subscribers/:app_user_id/offerings')
export class OfferingOverridesV1Controller {
  constructor(private readonly overrides: OfferingOverridesService) {}

  @Post(':offering_identifier/override')
  @HttpCode(200)
  @SecretKeyAccess('project_configuration:offerings:read', 'customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'overrideOffering',
    summary: 'Override the offering of a customer',
    description: 'Makes an offering, named by its id or lookup key, the current one for this customer.',
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiUnprocessableEntityResponse({ type: V1ErrorDto, description: 'The offering is archived.' })
  set(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Param('offering_identifier') offering: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.answer(write, appUserId, offering, request, response);
  }

  @Delete('override')
  @SecretKeyAccess('project_configuration:offerings:read', 'customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'removeOfferingOverride',
    summary: 'Remove an offering override',
    description: 'Removes the override, so that the customer sees the current offering of the project again.',
  })
  @ApiOkResponse({ type: CustomerInfoDto })
  remove(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.answer(write, appUserId, null, request, response);
  }

  private async answer(
    write: ProjectWrite,
    appUserId: string,
    offering: string | null,
    request: ApiRequest,
    response: Response,
  ): Promise<void> {
    const stores = storesOfPlatform(deviceOf(request).platform);
    const info = withStoreUrl(await this.overrides.set(write, appUserId, offering), stores);
    setAnswerTime(response, info.testClockMs);
    sendSdkJson(response, 200, customerInfoText(info, request.receivedAtMs));
  }
}
