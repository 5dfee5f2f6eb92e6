import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sdkEtag, sendSdkText } from '../../platform/http/pipeline/sdk-answer.js';
import { callerOf, type SdkPrincipal } from '../../platform/principal/principal.js';
import type { SupportAddresses } from './support-addresses.js';

const RESTORE = { id: 'restore', title: 'Check for missing purchases', type: 'MISSING_PURCHASE' };
const CANCEL = { id: 'cancel', title: 'Cancel subscription', type: 'CANCEL' };

/** If any of these fields is missing, some SDK shows an error instead of the screen. */
export const customerCenter = (email: string): object => ({
  customer_center: {
    appearance: { light: {}, dark: {} },
    screens: {
      MANAGEMENT: { type: 'MANAGEMENT', title: 'Manage your subscription', paths: [RESTORE, CANCEL] },
      NO_ACTIVE: { type: 'NO_ACTIVE', title: 'No active subscriptions', paths: [RESTORE] },
    },
    localization: { locale: 'en_US', localized_strings: {} },
    support: { email },
    change_plans: [],
  },
});
export const TICKET_NOT_SENT = { sent: false };

export const CustomerCenterAnswer = (): MethodDecorator =>
  ApiOkResponse({
    description: 'The screens; `support.email` is the address in the redemption settings, or empty.',
    schema: {
      type: 'object',
      required: ['customer_center'],
      properties: { customer_center: { type: 'object' } },
      example: customerCenter('help@example.com'),
    },
  });

export async function sendCustomerCenter(
  addresses: SupportAddresses,
  { principal }: ApiRequest,
  response: Response,
): Promise<void> {
  const caller = principal as SdkPrincipal;
  const body = JSON.stringify(customerCenter((await addresses.supportEmail(caller.projectId)) ?? ''));
  sendSdkText(response, { body, etag: sdkEtag(callerOf(caller), body) });
}
