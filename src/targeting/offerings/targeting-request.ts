import { noAttributes, platformOf, sdkOf, type TargetingRequest } from '../../../libs/targeting/index.js';
import type { CatalogApp } from '../../catalog/snapshot/catalog.model.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';

export interface AskingDevice {
  request: TargetingRequest;
  device: Device;
  isSandbox: boolean;
}

/** Maps an SDK's headers to the terms of conditions. */
export function askingDevice(request: ApiRequest, app: CatalogApp, appUserId: string): AskingDevice {
  const device = deviceOf(request);
  const flavorVersion = request.headers['x-platform-flavor-version'];
  const { platform, sdkVersion: version, platformFlavor: flavor, country, appVersion } = device;
  return {
    device,
    isSandbox: request.headers['x-is-sandbox'] === 'true' || app.type === 'test_store',
    request: {
      appUserId,
      appId: app.id,
      country,
      platform: platformOf(platform),
      appVersion,
      attributes: noAttributes,
      ...sdkOf({
        platform,
        version,
        flavor,
        flavorVersion: typeof flavorVersion === 'string' ? flavorVersion : null,
      }),
    },
  };
}
