import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isJsonObject } from '../../../libs/kernel/index.js';
import { configContainer, emptyRemoteConfig } from '../../../libs/paywalls/index.js';
import { SdkAccess, SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkBytes, sendSdkNothing } from '../../platform/http/pipeline/sdk-answer.js';

const CONTENT_TYPE = 'application/x-rc-format';
const emptyContainer = configContainer(emptyRemoteConfig);

/** Remote configuration, which mobile SDKs fetch at each start. It is always empty. */
@ApiTags('SDK')
@Controller('v1/config/:domain')
export class RemoteConfigV1Controller {
  @Post()
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'postRemoteConfig',
    summary: 'Ask for remote configuration (empty)',
    description: 'Answers an empty remote configuration in the binary container that the mobile SDKs expect.',
  })
  @ApiResponse({
    status: 200,
    content: { [CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } } },
    description: 'A container with one element, which names no topics.',
  })
  @ApiNoContentResponse({ description: 'The SDK already has this configuration (`manifest`).' })
  @ApiResponse({ status: 404, type: V1ErrorDto, description: 'The only domain is `app`.' })
  post(@Param('domain') domain: string, @Req() request: ApiRequest, @Res() response: Response): void {
    if (domain !== 'app') throw ApiError.missing('configuration', domain);
    const body: unknown = request.body;
    if (isJsonObject(body) && body.manifest === emptyRemoteConfig.manifest) return sendSdkNothing(response);
    return sendSdkBytes(response, CONTENT_TYPE, emptyContainer, emptyRemoteConfig.payload);
  }

  @Get()
  @SdkAccess()
  @ApiOperation({
    operationId: 'getRemoteConfig',
    summary: 'Get remote configuration (empty)',
    description: 'There is no remote configuration. Apps call this only on the fallback host of the vendor.',
  })
  @ApiNoContentResponse({ description: 'Always.' })
  get(@Res() response: Response): void {
    sendSdkNothing(response);
  }
}
