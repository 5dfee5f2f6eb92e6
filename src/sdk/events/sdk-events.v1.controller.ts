import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiPayloadTooLargeResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { SdkEventsDto } from './sdk-event.dto.js';
import { SdkEventsService } from './sdk-events.service.js';

/** SDKs delete events after any answer but 404 and 5xx, and send them again after those. */
@ApiTags('SDK')
@Controller('v1/events')
export class SdkEventsV1Controller {
  constructor(private readonly events: SdkEventsService) {}

  @Post()
  @HttpCode(200)
  @SdkOrCustomerAccess()
  @ApiOperation({
    operationId: 'postSdkEvents',
    summary: 'Send paywall, customer center and ad events',
    description:
      'Stores what SDKs report about paywalls, customer centers and ads, each event once by its `id` and time. Events that cannot be read, and those that the project does not store (`sdk_events`), are dropped without an error. No customer is created. Apps for Android post `paywall_impression` here themselves when they show a paywall, because their SDK sends events to the vendor only.',
  })
  @ApiBody({ type: SdkEventsDto, required: false })
  @ApiOkResponse({ description: 'An empty object.', schema: { type: 'object', maxProperties: 0 } })
  @ApiPayloadTooLargeResponse({ type: V1ErrorDto })
  async receive(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.events.receive(request);
    sendSdkJson(response, 200, '{}');
  }
}
