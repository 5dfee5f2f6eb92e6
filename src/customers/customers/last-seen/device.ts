import { alpha2Country } from '../../../../libs/kernel/index.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';

export interface Device {
  platform: string | null;
  /** The framework that wraps the SDK (`react-native`), as sent; null if there is none. */
  platformFlavor: string | null;
  sdkVersion: string | null;
  platformVersion: string | null;
  appVersion: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  /** A backend named the device. Only SDKs count as the customer's first contact. */
  isBackend?: true;
}

const MAX_LENGTH = 100;

function header(request: ApiRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LENGTH) : null;
}

export function deviceOf(request: ApiRequest): Device {
  return {
    platform: header(request, 'x-platform'),
    platformFlavor: header(request, 'x-platform-flavor'),
    sdkVersion: header(request, 'x-version'),
    platformVersion: header(request, 'x-platform-version'),
    appVersion: header(request, 'x-client-version'),
    // Amazon devices send their store's country in a separate header.
    country: alpha2Country(header(request, 'x-storefront') ?? header(request, 'marketplace')),
  };
}

/** The device of a request. A backend's request has one only if it names the platform. */
export function shownDevice(request: ApiRequest): Device | null {
  const device = deviceOf(request);
  if (request.principal?.kind !== 'secret_key') return device;
  return device.platform === null ? null : { ...device, isBackend: true };
}
