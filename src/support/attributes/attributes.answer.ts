import type { Response } from 'express';
import { attributesByName } from '../../customers/customers/customer-info/customer-attributes.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import type { CustomerAttributesService } from './customer-attributes.service.js';

export async function sendAttributes(
  attributes: CustomerAttributesService,
  appUserId: string,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  const { projectId } = request.principal as SdkPrincipal;
  const byName = attributesByName(await attributes.list(projectId, appUserId));
  sendSdkJson(response, 200, JSON.stringify({ subscriber_attributes: byName }));
}
