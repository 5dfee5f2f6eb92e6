import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../auth/access.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import { deviceOf } from '../customers/device.js';
import type { ApiRequest } from '../http/request.js';
import { sendSdkJson } from '../http/sdk-answer.js';
import { type Attribution, readAdServicesToken, readAttribution } from './attribution.body.js';
import { AttributionsService } from './attributions.service.js';
import { FixedAnswer } from './fixed-answer.js';

class AttributionBodyDto {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 7 })
  network: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: Record<string, unknown>;
}

class AdServicesBodyDto {
  @ApiProperty({ type: String, maxLength: 4096 })
  aad_attribution_token: string;
}

@ApiTags('SDK')
@Controller('v1/subscribers/:app_user_id')
export class AttributionV1Controller {
  constructor(@Inject(AttributionsService) private readonly attributions: AttributionsService) {}

  @Post('attribution')
  @HttpCode(200)
  @SdkAccess()
  @ApiOperation({
    operationId: 'postAttribution',
    summary: "Keep an attribution network's data of a customer",
  })
  @ApiBody({ type: AttributionBodyDto })
  @FixedAnswer({})
  async attribution(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.keep(request, appUserId, readAttribution(request.body));
    sendSdkJson(response, 200, '{}');
  }

  @Post('adservices_attribution')
  @HttpCode(200)
  @SdkAccess()
  @ApiOperation({ operationId: 'postAdServicesToken', summary: "Keep a customer's AdServices token" })
  @ApiBody({ type: AdServicesBodyDto })
  @FixedAnswer({})
  async adServices(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.keep(request, appUserId, readAdServicesToken(request.body));
    sendSdkJson(response, 200, '{}');
  }

  private async keep(request: ApiRequest, appUserId: string, attribution: Attribution): Promise<void> {
    const { projectId } = request.principal as PublicKeyPrincipal | SecretKeyPrincipal;
    await this.attributions.keep(projectId, appUserId, deviceOf(request), attribution);
  }
}
