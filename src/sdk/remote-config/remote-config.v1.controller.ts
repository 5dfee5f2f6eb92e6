import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { acceptedEncoding } from '../../../libs/paywalls/index.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkBytes, sendSdkNothing } from '../../platform/http/pipeline/sdk-answer.js';
import { RemoteConfigService } from './remote-config.service.js';

const CONTENT_TYPE = 'application/x-rc-format';

/**
 * Remote configuration, which mobile SDKs fetch at each start. After any 4xx, some of them do without it until the app
 * is started again.
 */
@ApiTags('SDK')
@Controller('v1/config/:domain')
export class RemoteConfigV1Controller {
  constructor(private readonly configs: RemoteConfigService) {}

  @Post()
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'postRemoteConfig',
    summary: 'Ask for remote configuration',
    description:
      'Answers the published paywalls of the project in the binary container that the mobile SDKs expect. A body that cannot be read counts as empty.',
  })
  @ApiResponse({
    status: 200,
    content: { [CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } } },
    description:
      'A container: first the configuration, then the content that the SDK lacks. Without published paywalls the configuration is empty.',
  })
  @ApiNoContentResponse({ description: 'The SDK already has this configuration (`manifest`).' })
  @ApiResponse({ status: 404, type: V1ErrorDto, description: 'The only domain is `app`.' })
  async post(
    @Param('domain') domain: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (domain !== 'app') throw ApiError.missing('configuration', domain);
    const body: unknown = request.body;
    const accepted = request.headers['accept-rc-element-encoding'];
    const encoding = acceptedEncoding(typeof accepted === 'string' ? accepted : undefined);
    const { principal } = sdkClientOf(request);
    const answer = await this.configs.answer(principal, isJsonObject(body) ? body : {}, encoding);
    if (answer === null) return sendSdkNothing(response);
    return sendSdkBytes(response, CONTENT_TYPE, answer.body, answer.signed);
  }

  @Get()
  @SdkAccess()
  @ApiOperation({
    operationId: 'getRemoteConfig',
    summary: 'Get remote configuration (empty)',
    description:
      'There is no remote configuration here. Apps call this only on the fallback host of the vendor.',
  })
  @ApiNoContentResponse({ description: 'Always.' })
  get(@Res() response: Response): void {
    sendSdkNothing(response);
  }
}
