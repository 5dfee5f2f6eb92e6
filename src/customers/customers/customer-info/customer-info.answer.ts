import type { Response } from 'express';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import {
  holdsAnswer,
  sdkEtag,
  sendNotModified,
  sendSdkJson,
  setAnswerTime,
} from '../../../platform/http/pipeline/sdk-answer.js';
import type { SdkPrincipal } from '../../../platform/principal/principal.js';
import type { CustomerInfoService } from './customer-info.service.js';
import { customerInfoText } from './customer-info.js';
import { shownDevice } from '../last-seen/device.js';

/** Returns a customer's purchases. An unknown app user id becomes a new customer. */
export async function sendCustomerInfo(
  customerInfo: CustomerInfoService,
  appUserId: string,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  const principal = request.principal as SdkPrincipal;
  const device = shownDevice(request);
  // Express routes HEAD requests to the GET handler.
  const onlyLooks = request.method === 'HEAD';
  const reader = { principal, device, onlyLooks };
  const info = await customerInfo.getOrCreate(principal.projectId, appUserId, reader);
  setAnswerTime(response, info.testClockMs);
  const caller =
    principal.kind === 'secret_key'
      ? [JSON.stringify(info.attributes), device?.platform ?? '']
      : [principal.appId];
  const etag = sdkEtag(info.etag, ...caller);
  if (holdsAnswer(request, etag)) return sendNotModified(response, etag);
  const body = customerInfoText(info, request.receivedAtMs);
  sendSdkJson(response, info.created ? 201 : 200, body, etag);
}
