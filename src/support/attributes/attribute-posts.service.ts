import { Injectable } from '@nestjs/common';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { type AttributeSender, senderOf } from './attributes.service.js';
import { AttributesService } from './attributes.service.js';
import { adServicesTokenOf, readAttribution } from './attribution.js';
import { attributeErrors, deviceFacts, readAttributesBody, tooManyError } from './sdk-attributes.js';

/** Attributes that SDKs post for a customer, whose app user id is in the path or in an access token. */
@Injectable()
export class AttributePostsService {
  constructor(private readonly attributes: AttributesService) {}

  /** @throws ApiError 400, code 7263, naming the attributes that were not saved; the others were */
  async attributesOf(appUserId: string, request: ApiRequest): Promise<void> {
    const sender = this.sender(appUserId, request);
    const { inputs, errors } = readAttributesBody(request.body, deviceFacts(request));
    const tooMany = await this.save(sender, inputs);
    const refused = [...errors, ...tooMany.map(tooManyError)];
    if (refused.length > 0) throw attributeErrors(refused);
  }

  async attribution(appUserId: string, request: ApiRequest): Promise<void> {
    await this.save(this.sender(appUserId, request), readAttribution(request.body));
  }

  /** @throws ApiError 400 */
  async adServicesToken(appUserId: string, request: ApiRequest): Promise<void> {
    const sender = this.sender(appUserId, request);
    const token = adServicesTokenOf(request.body);
    if (token === null) {
      throw ApiError.parameter('aad_attribution_token', 'aad_attribution_token is not a valid token.');
    }
    await this.attributes.saveAdServicesToken(sender, token);
  }

  private save(sender: AttributeSender, inputs: AttributeInput[]): Promise<string[]> {
    return this.attributes.post({ ...sender, inputs });
  }

  private sender(appUserId: string, request: ApiRequest): AttributeSender {
    assertAppUserId(appUserId);
    return senderOf(request.principal as SdkPrincipal, appUserId, deviceOf(request));
  }
}
