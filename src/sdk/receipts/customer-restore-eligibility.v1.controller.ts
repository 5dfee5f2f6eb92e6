import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CustomerAccess } from '../../platform/auth/access.js';
import { SignedInAppUserId } from '../../platform/auth/current-principal.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  RestoreEligibilityBodyDto,
  RestoreEligibilityDto,
  sendRestoreEligibility,
} from './restore-eligibility.answer.js';
import { RestoreEligibilityService } from './restore-eligibility.service.js';

@ApiTags('Signed-in customers')
@Controller('v1/customer/restore/eligibility')
export class CustomerRestoreEligibilityV1Controller {
  constructor(private readonly eligibility: RestoreEligibilityService) {}

  @Post()
  @HttpCode(200)
  @CustomerAccess()
  @ApiOperation({
    operationId: 'getOwnRestoreEligibility',
    summary: 'Check whether a restore of the signed-in customer would succeed',
    description:
      'As `POST /v1/subscribers/{app_user_id}/restore/eligibility`, for the customer of the access token.',
  })
  @ApiBody({ type: RestoreEligibilityBodyDto })
  @ApiOkResponse({ type: RestoreEligibilityDto })
  get(
    @SignedInAppUserId() appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return sendRestoreEligibility(this.eligibility, appUserId, request, response);
  }
}
