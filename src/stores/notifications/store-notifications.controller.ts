import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { NotificationIntakeService } from './notification-intake.service.js';
import { notifyingStores } from './notification-source.js';

/** Receives store notifications. They need no API key, because each one carries proof of its sender. */
@ApiTags('Store notifications')
@Controller('v1/notifications')
export class StoreNotificationsController {
  constructor(private readonly intake: NotificationIntakeService) {}

  @Post(':store/:app_id')
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'receiveStoreNotification',
    summary: 'Receive a store notification',
    description:
      'Address to register with the store of an app. A 200 means that the notification is saved and will be processed, or was saved before; after any other status the store sends it again.',
  })
  @ApiParam({ name: 'store', enum: notifyingStores })
  @ApiBody({ schema: {}, description: "The store's own format." })
  @ApiOkResponse({
    description: 'Saved. For Roku the text is the responseKey of the message.',
    content: {
      'application/json': { schema: { type: 'object' } },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @ApiBadRequestResponse({
    type: V1ErrorDto,
    description: 'The notification is not genuine, or not for this app.',
  })
  @ApiUnauthorizedResponse({
    type: V1ErrorDto,
    description: 'The token of the sender is missing or not valid.',
  })
  @ApiNotFoundResponse({ type: V1ErrorDto, description: 'There is no such app of that store.' })
  @ApiServiceUnavailableResponse({
    type: V1ErrorDto,
    description: 'The public keys of the store cannot be read now.',
  })
  @ApiTooManyRequestsResponse({
    type: V1ErrorDto,
    description: 'Too many unsigned notifications; the store sends it again.',
  })
  @ApiPayloadTooLargeResponse({ type: V1ErrorDto, description: 'Too large for a notification.' })
  @ApiServiceUnavailableResponse({
    type: V1ErrorDto,
    description: 'The notification cannot be verified now.',
  })
  async receive(
    @Req() { headers, body }: ApiRequest,
    @Param('store') store: string,
    @Param('app_id') appId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | string> {
    const answer = await this.intake.receive(store, appId, {
      headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    });
    if (answer === null) return {};
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    return answer;
  }
}
