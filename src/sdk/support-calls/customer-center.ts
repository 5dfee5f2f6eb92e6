import type { Response } from 'express';
import type { ApiRequest } from '../../platform/http/request.js';
import { sdkEtag, sendSdkText } from '../../platform/http/sdk-answer.js';
import { callerOf, type SdkPrincipal } from '../../platform/principal/principal.js';

const RESTORE = { id: 'restore', title: 'Check for missing purchases', type: 'MISSING_PURCHASE' };
const CANCEL = { id: 'cancel', title: 'Cancel subscription', type: 'CANCEL' };

/** If any of these fields is missing, some SDK shows an error instead of the screen. */
export const CUSTOMER_CENTER = {
  customer_center: {
    appearance: { light: {}, dark: {} },
    screens: {
      MANAGEMENT: { type: 'MANAGEMENT', title: 'Manage your subscription', paths: [RESTORE, CANCEL] },
      NO_ACTIVE: { type: 'NO_ACTIVE', title: 'No active subscriptions', paths: [RESTORE] },
    },
    localization: { locale: 'en_US', localized_strings: {} },
    support: { email: '' },
    change_plans: [],
  },
};
const TEXT = JSON.stringify(CUSTOMER_CENTER);
export const TICKET_NOT_SENT = { sent: false };

export function sendCustomerCenter({ principal }: ApiRequest, response: Response): void {
  sendSdkText(response, { body: TEXT, etag: sdkEtag(callerOf(principal as SdkPrincipal), TEXT) });
}
