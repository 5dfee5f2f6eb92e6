import { Controller, Get, Res } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { Config } from '../../platform/config/config.js';
import { AnswerSigningService } from '../../platform/http/pipeline/answer-signing.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';

class SigningKeyDto {
  @ApiProperty({ enum: ['Ed25519'] })
  algorithm: 'Ed25519';

  @ApiProperty({ type: String, description: 'The raw key of 32 bytes.' })
  public_key: string;

  @ApiProperty({ enum: ['base64'] })
  encoding: 'base64';

  @ApiProperty({ enum: ['X-Signature'] })
  header: 'X-Signature';

  @ApiProperty({ type: String, format: 'uri' })
  docs: string;
}

@ApiTags('Server')
@Controller('.well-known/service-signing-key')
export class SigningKeyController {
  constructor(
    private readonly signing: AnswerSigningService,
    private readonly config: Config,
  ) {}

  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'getSigningKey',
    summary: 'Get the root signing key',
    description:
      'The public root key with which SDKs check the signatures of answers (trusted entitlements). Build it into your app.',
  })
  @ApiOkResponse({ type: SigningKeyDto })
  @ApiNotFoundResponse({
    type: V1ErrorDto,
    description: 'This server does not sign its answers (code 7259).',
  })
  get(@Res() response: Response): void {
    const { publicKey } = this.signing;
    if (publicKey === null) throw new ApiError('missing', 'This server has no signing key.');
    const document: SigningKeyDto = {
      algorithm: 'Ed25519',
      public_key: publicKey,
      encoding: 'base64',
      header: 'X-Signature',
      docs: `${this.config.baseUrl}/docs`,
    };
    sendSdkJson(response, 200, JSON.stringify(document));
  }
}
