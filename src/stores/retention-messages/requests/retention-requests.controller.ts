import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../../platform/auth/access.js';
import { V1ErrorDto } from '../../../platform/http/errors/error.dto.js';
import { RetentionAnswerDto, RetentionRequestDto } from './retention-request.dto.js';
import { RetentionRequestsService } from './retention-requests.service.js';

/** Answers Apple. No API key is needed, because Apple signs each request. */
@ApiTags('Store notifications')
@Controller('v1/stores/app_store/:app_id/retention_message')
export class RetentionRequestsController {
  constructor(private readonly requests: RetentionRequestsService) {}

  @Post()
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'answerRetentionRequest',
    summary: 'Choose a retention message',
    description:
      'Address that Apple asks which message to show to a customer who may cancel. The first rule that matches decides.',
  })
  @ApiOkResponse({ type: RetentionAnswerDto })
  @ApiNoContentResponse({ description: 'No rule matches: Apple shows its default message.' })
  @ApiBadRequestResponse({
    type: V1ErrorDto,
    description: 'Apple did not sign the request for this app in the last five minutes.',
  })
  @ApiNotFoundResponse({ type: V1ErrorDto, description: 'There is no such app of the App Store.' })
  @ApiPayloadTooLargeResponse({ type: V1ErrorDto, description: 'Larger than 16 KiB.' })
  @ApiServiceUnavailableResponse({
    type: V1ErrorDto,
    description: 'More than 100 requests a second, or no answer within half a second.',
  })
  async answer(
    @Param('app_id') appId: string,
    @Body() body: RetentionRequestDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RetentionAnswerDto | undefined> {
    const answer = await this.requests.answer(appId, body);
    if (answer !== null) return answer as RetentionAnswerDto;
    response.status(204);
    return undefined;
  }
}
