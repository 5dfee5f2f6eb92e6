import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { isJsonObject } from '../../libs/kernel/index.js';
import { SdkAccess } from '../auth/access.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import { assertAppUserId } from '../customers/app-user-id.js';
import { customerInfoText } from '../customers/customer-info.js';
import { CustomerInfoDto } from '../customers/customer-info.dto.js';
import { CustomerInfoService } from '../customers/customer-info.service.js';
import { deviceOf } from '../customers/device.js';
import { ApiError } from '../http/api-error.js';
import type { ApiRequest } from '../http/request.js';
import { sendSdkJson } from '../http/sdk-answer.js';
import { IdentifyService } from './identify.service.js';

class IdentifyBodyDto {
  @ApiProperty({ type: String, description: 'The id the SDK has used until now.' })
  app_user_id: string;

  @ApiProperty({ type: String })
  new_app_user_id: string;
}

@ApiTags('SDK')
@Controller('v1/subscribers/identify')
export class IdentifyV1Controller {
  constructor(
    @Inject(IdentifyService) private readonly identifying: IdentifyService,
    @Inject(CustomerInfoService) private readonly customerInfo: CustomerInfoService,
  ) {}

  @Post()
  @HttpCode(200)
  @SdkAccess()
  @ApiOperation({ operationId: 'identify', summary: 'Sign in: go on under another app user id' })
  @ApiBody({ type: IdentifyBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiCreatedResponse({ type: CustomerInfoDto, description: 'The new id was not known before.' })
  async identify(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body: unknown = request.body;
    if (!isJsonObject(body)) throw new ApiError('invalid_request', 'The request body must be a JSON object.');
    const { app_user_id: currentAppUserId, new_app_user_id: newAppUserId } = body;
    assertAppUserId(currentAppUserId);
    assertAppUserId(newAppUserId);
    const principal = request.principal as PublicKeyPrincipal | SecretKeyPrincipal;
    const { projectId } = principal;
    const device = deviceOf(request);
    const { created } = await this.identifying.identify({
      projectId,
      appId: principal.kind === 'public_key' ? principal.appId : null,
      currentAppUserId,
      newAppUserId,
      device,
      requestId: request.id,
    });
    const info = await this.customerInfo.getOrCreate(projectId, newAppUserId, device);
    const text = customerInfoText(info.subscriber, info.lastSeenAtMs, request.receivedAtMs);
    sendSdkJson(response, created || info.created ? 201 : 200, text);
  }
}
