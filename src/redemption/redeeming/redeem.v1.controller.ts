import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { customerInfoText } from '../../customers/customers/customer-info/customer-info.js';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import { CustomerInfoService } from '../../customers/customers/customer-info/customer-info.service.js';
import { deviceOf, shownDevice } from '../../customers/customers/last-seen/device.js';
import { SdkOrCustomerAccess } from '../../platform/auth/access.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson, setAnswerTime } from '../../platform/http/pipeline/sdk-answer.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { RedemptionMetrics, type RedemptionResult } from '../shared/redemption.metrics.js';
import { RedeemService } from './redeem.service.js';
import { RedemptionLimitsService } from './redemption-limits.service.js';

@BodyExample({ app_user_id: 'ada', redemption_token: 'rdm_Qm9iYnkgVGFibGVzIGlzIGFuIG9sZCBqb2tlLg00000' })
class RedeemBodyDto {
  @ApiProperty({ type: String, description: 'Created if unknown.' })
  app_user_id: string;

  @ApiProperty({ type: String, description: 'From the link that opened the app.' })
  redemption_token: string;
}

const resultsByCode: Partial<Record<number, RedemptionResult>> = {
  7849: 'invalid',
  7852: 'other_customer',
  7853: 'expired',
};

@ApiTags('SDK')
@Controller('v1/subscribers')
export class RedeemV1Controller {
  constructor(
    private readonly redeeming: RedeemService,
    private readonly limits: RedemptionLimitsService,
    private readonly customerInfo: CustomerInfoService,
    private readonly metrics: RedemptionMetrics,
  ) {}

  @Post('redeem_purchase')
  @HttpCode(200)
  @SdkOrCustomerAccess('customer_information:purchases:read_write')
  @ApiOperation({
    operationId: 'redeemWebPurchase',
    summary: 'Redeem a web purchase',
    description:
      'Moves a web purchase to the customer who opened its redemption link. Codes: 7849 the token is invalid; 7852 the purchase belongs to another customer; 7853 the link has expired, with `purchase_redemption_error_info` if a new one was mailed. Safe to repeat.',
  })
  @ApiBody({ type: RedeemBodyDto })
  @ApiOkResponse({ type: CustomerInfoDto })
  @ApiTooManyRequestsResponse({
    type: V1ErrorDto,
    description: 'More than ten tries a minute, for the customer or from the address.',
  })
  async redeem(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body = jsonBody(request.body);
    const appUserId = body.app_user_id;
    assertAppUserId(appUserId);
    const principal = request.principal as SdkPrincipal;
    const { projectId } = principal;
    await this.limits.count(projectId, request.ip, appUserId);
    const device = shownDevice(request);
    const result = await this.counted(() =>
      this.redeeming.redeem({
        projectId,
        appId: principal.kind === 'secret_key' ? null : principal.appId,
        appUserId,
        token: body.redemption_token,
        device,
        platform: deviceOf(request).platform?.toLowerCase() ?? null,
        requestId: request.id,
      }),
    );
    this.metrics.redeemed(result);
    const info = await this.customerInfo.getOrCreate(projectId, appUserId, { principal, device });
    setAnswerTime(response, info.testClockMs);
    sendSdkJson(response, 200, customerInfoText(info, request.receivedAtMs));
  }

  private async counted(redeem: () => Promise<RedemptionResult>): Promise<RedemptionResult> {
    try {
      return await redeem();
    } catch (error) {
      const result = error instanceof ApiError ? resultsByCode[error.code] : undefined;
      if (result !== undefined) this.metrics.redeemed(result);
      throw error;
    }
  }
}
