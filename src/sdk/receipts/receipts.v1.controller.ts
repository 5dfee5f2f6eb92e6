import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiInternalServerErrorResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { deviceFacts, readSdkAttributes } from '../../support/attributes/sdk-attributes.js';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { customerInfoText } from '../../customers/customers/customer-info/customer-info.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import { readReceiptBody } from './receipt.body.js';
import { ReceiptBodyDto, receiptModels, ReceiptResponseDto } from './receipt.dto.js';
import { ReceiptsService } from './receipts.service.js';

@ApiTags('SDK')
@ApiExtraModels(...receiptModels)
@Controller('v1/receipts')
export class ReceiptsV1Controller {
  constructor(private readonly receipts: ReceiptsService) {}

  @Post()
  @HttpCode(200)
  @SdkOrCustomerAccess('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'postReceipt',
    summary: 'Record a purchase',
    description:
      'Verifies a receipt with its store and records the purchases in it: for a new purchase, a restore and a sync. A 4xx means that the purchase can never be accepted; after a 5xx the SDK keeps it and posts it again.',
  })
  @ApiBody({ type: ReceiptBodyDto })
  @ApiOkResponse({ type: ReceiptResponseDto })
  @ApiInternalServerErrorResponse({ type: V1ErrorDto })
  @ApiServiceUnavailableResponse({ type: V1ErrorDto })
  async post(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body = readReceiptBody(request.body);
    const answer = await this.receipts.post({
      body,
      principal: request.principal as SdkPrincipal,
      device: deviceOf(request),
      isSandbox: request.headers['x-is-sandbox'] === 'true',
      requestId: request.id,
      attributes: readSdkAttributes(body.attributes ?? {}, deviceFacts(request)),
    });
    const { purchasedProducts, attributeErrors } = answer;
    const errors =
      attributeErrors.length === 0
        ? ''
        : `,"attributes_error_response":${JSON.stringify({ attribute_errors: attributeErrors })}`;
    const more = `"purchased_products":${JSON.stringify(purchasedProducts)}${errors}`;
    setAnswerTime(response, answer.testClockMs);
    sendSdkJson(response, 200, customerInfoText(answer, request.receivedAtMs, more));
  }
}
