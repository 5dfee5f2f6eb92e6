import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  RestoreEligibilityBodyDto,
  RestoreEligibilityDto,
  sendRestoreEligibility,
} from './restore-eligibility.answer.js';
import { RestoreEligibilityService } from './restore-eligibility.service.js';

@ApiTags('SDK')
@Controller('v1/subscribers')
export class RestoreEligibilityV1Controller {
  constructor(private readonly eligibility: RestoreEligibilityService) {}

  @Post(':app_user_id/restore/eligibility')
  @HttpCode(200)
  @SdkAccess('customer_information:purchases:read')
  @ApiOperation({
    operationId: 'getRestoreEligibility',
    summary: 'Check whether a restore would succeed',
    description:
      'Whether restoring this purchase would be refused because it belongs to another customer. Changes nothing.',
  })
  @ApiBody({ type: RestoreEligibilityBodyDto })
  @ApiOkResponse({ type: RestoreEligibilityDto })
  async get(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    await sendRestoreEligibility(this.eligibility, appUserId, request, response);
  }
}
