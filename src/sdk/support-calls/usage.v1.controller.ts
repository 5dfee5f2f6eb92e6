import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiPayloadTooLargeResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { FixedAnswer } from './fixed-answer.js';

/** Bodies of up to 1 MiB are counted and discarded without being parsed. */
@ApiTags('SDK')
@Controller('v1')
export class UsageV1Controller {
  @Post('events')
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'postSdkEvents',
    summary: 'Send usage events (dropped)',
    description: 'Accepts usage events of an SDK and drops them.',
  })
  @FixedAnswer({})
  @ApiPayloadTooLargeResponse({ type: V1ErrorDto })
  events(@Res() response: Response): void {
    sendSdkJson(response, 200, '{}');
  }

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
