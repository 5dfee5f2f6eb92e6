import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { customerInfoText } from '../../customers/customers/customer-info/customer-info.js';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import { CustomerInfoService } from '../../customers/customers/customer-info/customer-info.service.js';
import { shownDevice } from '../../customers/customers/last-seen/device.js';
import { EmptyDto } from '../../platform/http/bodies/empty.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import type { SignIn } from './customer-joins.service.js';
import { IdentifyService } from './identify.service.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ app_user_id: '$RCAnonymousID:4a6f2d0e8b1c4f7a9d3e5c6b7a8f9e0d', new_app_user_id: 'ada' })
class IdentifyBodyDto {
  @ApiProperty({ type: String, description: 'The id the SDK has used so far.' })
  app_user_id: string;

  @ApiProperty({ type: String })
  new_app_user_id: string;
}

@BodyExample({ new_app_user_id: '$RCAnonymousID:9b8a7c6d5e4f4a3b2c1d0e9f8a7b6c5d' })
class AliasBodyDto {
  @ApiProperty({ type: String })
  new_app_user_id: string;
}

/** The two ids in the body. The path may contain the first one instead. */
function readPair(request: ApiRequest, pathAppUserId?: string): SignIn {
  const body = jsonBody(request.body);
  const currentAppUserId = body.app_user_id ?? pathAppUserId;
  const newAppUserId = body.new_app_user_id;
  assertAppUserId(currentAppUserId);
  assertAppUserId(newAppUserId);
  const principal = request.principal as SdkPrincipal;
  return {
    projectId: principal.projectId,
    appId: principal.kind === 'secret_key' ? null : principal.appId,
    currentAppUserId,
    newAppUserId,
    device: shownDevice(request),
    requestId: request.id,
  };
}

@ApiTags('SDK')
@Controller('v1/subscribers')
export class IdentifyV1Controller {
  constructor(
    private readonly identifying: IdentifyService,
    private readonly customerInfo: CustomerInfoService,
  ) {}

  @Post('identify')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'identify',
    summary: 'Sign a customer in',
    description:
      'Continues under another app user id. An anonymous customer is merged with the customer of the new id; otherwise the device switches to that customer.',
  })
  @ApiBody({ type: IdentifyBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiCreatedResponse({ type: CustomerInfoDto, description: 'The new id was unknown.' })
  async identify(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const signIn = readPair(request);
    const { created } = await this.identifying.identify(signIn);
    const { projectId, newAppUserId, device } = signIn;
    const principal = request.principal as SdkPrincipal;
    const reader = { principal, device };
    const info = await this.customerInfo.getOrCreate(projectId, newAppUserId, reader);
    setAnswerTime(response, info.testClockMs);
    const text = customerInfoText(info, request.receivedAtMs);
    sendSdkJson(response, created || info.created ? 201 : 200, text);
  }

  @Post(':app_user_id/alias')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'createAlias',
    summary: 'Add an alias to a customer',
    description:
      'Merges two app user ids into one customer if at least one of them is anonymous. Two identified ids stay separate customers, with the same answer.',
  })
  @ApiBody({ type: AliasBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async alias(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.identifying.alias(readPair(request, appUserId));
    sendSdkJson(response, 200, '{}');
  }
}
