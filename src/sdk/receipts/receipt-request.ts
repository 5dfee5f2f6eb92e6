import type { SdkPrincipal } from '../../platform/principal/principal.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import type { SdkAttributes } from '../../support/attributes/sdk-attributes.js';
import type { ReceiptBody } from './receipt.body.js';

export interface ReceiptRequest {
  body: ReceiptBody;
  principal: SdkPrincipal;
  device: Device;
  /** As claimed by the device. */
  isSandbox: boolean;
  requestId: string;
  attributes: SdkAttributes;
}
