import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { SdkAccess } from '../../platform/auth/access.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../platform/principal/principal.js';
import { assertAppUserId } from '../../platform/http/app-user-id.js';
import { deviceOf } from '../../customers/customers/device.js';
import { ApiError } from '../../platform/http/api-error.js';
import { EmptyDto } from '../../platform/http/empty.dto.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { sendSdkJson } from '../../platform/http/sdk-answer.js';
import type { AttributeInput } from '../../customers/customers/attribute-merge.js';
import { type AttributeSender, senderOf } from './attribute-senders.service.js';
import { AttributesService } from './attributes.service.js';
import { adServicesTokenOf, readAttribution } from './attribution.js';
import { attributeErrors, deviceFacts, readAttributesBody, tooManyError } from './sdk-attributes.js';
import { BodyExample } from '../../platform/http/body-example.js';

@BodyExample({ attributes: { $email: { value: 'ada@example.com', updated_at_ms: 1767225600000 } } })
class SdkAttributesBodyDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        value: { type: 'string', nullable: true, description: 'Null or empty deletes the attribute.' },
        updated_at_ms: {
          type: 'integer',
          description: 'When the app set it; an older value does not replace a newer one.',
        },
      },
    },
  })
  attributes: object;
}

@BodyExample({
  network: 1,
  data: { rc_idfa: '00000000-0000-0000-0000-000000000001', rc_attribution_network_id: 'ada' },
})
class AttributionBodyDto {
  @ApiProperty({ type: 'integer', description: '0 to 7: which network the data is from.' })
  network: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;
}

@BodyExample({ aad_attribution_token: 'an attribution token of the device' })
class AdServicesBodyDto {
  @ApiProperty({ type: String })
  aad_attribution_token: string;
}

@ApiTags('SDK')
@Controller('v1/subscribers/:app_user_id')
export class AttributesV1Controller {
  constructor(private readonly attributes: AttributesService) {}

  @Post('attributes')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAttributes',
    summary: 'Set attributes of a customer',
    description:
      'Saves attributes of a customer from an SDK; an unknown app user id becomes a new customer. After a 400 (code 7263), all attributes except those in `attribute_errors` are saved.',
  })
  @ApiBody({ type: SdkAttributesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async post(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const { inputs, errors } = readAttributesBody(request.body, deviceFacts(request));
    const tooMany = await this.save(request, appUserId, inputs);
    const refused = [...errors, ...tooMany.map(tooManyError)];
    if (refused.length > 0) throw attributeErrors(refused);
    sendSdkJson(response, 200, '{}');
  }

  @Post('attribution')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAttribution',
    summary: 'Save attribution data',
    description: 'Saves what an attribution network reported as attributes of the customer.',
  })
  @ApiBody({ type: AttributionBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async attribution(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    await this.save(request, appUserId, readAttribution(request.body));
    sendSdkJson(response, 200, '{}');
  }

  @Post('adservices_attribution')
  @HttpCode(200)
  @SdkAccess('customer_information:customers:read_write')
  @ApiOperation({
    operationId: 'postAdServicesToken',
    summary: 'Save an Apple attribution token',
    description: 'Saves the AdServices token of an Apple device as an attribute of the customer.',
  })
  @ApiBody({ type: AdServicesBodyDto })
  @ApiOkResponse({ type: EmptyDto })
  async adServices(
    @Param('app_user_id') appUserId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    assertAppUserId(appUserId);
    const token = adServicesTokenOf(request.body);
    if (token === null) {
      throw ApiError.parameter('aad_attribution_token', 'aad_attribution_token is not a valid token.');
    }
    await this.attributes.keepAdServicesToken(this.sender(request, appUserId), token);
    sendSdkJson(response, 200, '{}');
  }

  private save(request: ApiRequest, appUserId: string, inputs: AttributeInput[]): Promise<string[]> {
    return this.attributes.post({ ...this.sender(request, appUserId), inputs });
  }

  private sender(request: ApiRequest, appUserId: string): AttributeSender {
    const principal = request.principal as PublicKeyPrincipal | SecretKeyPrincipal;
    return senderOf(principal, appUserId, deviceOf(request));
  }
}
