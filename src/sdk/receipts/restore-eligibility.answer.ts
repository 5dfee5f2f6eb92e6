import { ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import type { RestoreEligibilityService } from './restore-eligibility.service.js';

@BodyExample({ fetch_token: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11' })
export class RestoreEligibilityBodyDto {
  @ApiProperty({ type: String, description: 'The token that a restore would post.' })
  fetch_token: string;
}

export class RestoreEligibilityDto {
  @ApiProperty({ type: Boolean })
  is_purchase_allowed_by_restore_behavior: boolean;
}

function fetchTokenOf(body: unknown): string {
  const { fetch_token: token } = jsonBody(body);
  if (typeof token === 'string' && token !== '' && token.isWellFormed() && !token.includes('\0'))
    return token;
  throw ApiError.parameter('fetch_token', 'fetch_token must be a string.');
}

export async function sendRestoreEligibility(
  eligibility: RestoreEligibilityService,
  appUserId: string,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  const receipt = {
    fetchToken: fetchTokenOf(request.body),
    isSandbox: request.headers['x-is-sandbox'] === 'true',
  };
  const isAllowed = await eligibility.isAllowed(sdkClientOf(request), appUserId, receipt);
  sendSdkJson(response, 200, JSON.stringify({ is_purchase_allowed_by_restore_behavior: isAllowed }));
}
