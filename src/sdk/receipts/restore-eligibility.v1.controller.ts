import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import { ApiError } from '../../platform/http/api-error.js';
import { jsonBody } from '../../platform/http/json-body.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sendSdkJson } from '../../platform/http/sdk-answer.js';
import { RestoreEligibilityService } from './restore-eligibility.service.js';
import { BodyExample } from '../../platform/http/body-example.js';

@BodyExample({ fetch_token: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11' })
class RestoreEligibilityBodyDto {
  @ApiProperty({ type: String, description: 'The token that a restore would post.' })
  fetch_token: string;
}

class RestoreEligibilityDto {
  @ApiProperty({ type: Boolean })
  is_purchase_allowed_by_restore_behavior: boolean;
}

function fetchTokenOf(body: unknown): string {
  const { fetch_token: token } = jsonBody(body);
  if (typeof token === 'string' && token !== '' && token.isWellFormed() && !token.includes('\0'))
    return token;
  throw ApiError.parameter('fetch_token', 'fetch_token must be a string.');
}

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
    const token = fetchTokenOf(request.body);
    const isAllowed = await this.eligibility.isAllowed(sdkClientOf(request), appUserId, token);
    sendSdkJson(response, 200, JSON.stringify({ is_purchase_allowed_by_restore_behavior: isAllowed }));
  }
}
