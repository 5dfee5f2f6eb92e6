import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiPayloadTooLargeResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { FixedAnswer } from './fixed-answer.js';

/** Bodies of up to 1 MiB are discarded without being parsed. */
@ApiTags('SDK')
@Controller('v1')
export class UsageV1Controller {
  @Post('diagnostics')
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'postSdkDiagnostics',
    summary: 'Send diagnostics (dropped)',
    description: 'Accepts diagnostics of an SDK and drops them.',
  })
  @FixedAnswer({})
  @ApiPayloadTooLargeResponse({ type: V1ErrorDto })
  diagnostics(@Res() response: Response): void {
    sendSdkJson(response, 200, '{}');
  }
}
