import { Inject, Injectable } from '@nestjs/common';
import { type Clock, utcDay } from '../../../libs/kernel/index.js';
import {
  ConnectApi,
  connectApiUrl,
  ConnectCallFailed,
  type ConnectKey,
  type ConnectServices,
  type ListedProduct,
  listAppStoreProducts,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { connectKey } from '../../catalog/apps/credentials.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { LISTING_DEADLINE_MS } from '../shared/listing-deadline.js';
import { storeCircuits } from '../shared/store-circuits.js';
import { unreachableError } from '../shared/unreachable-error.js';

/** Calls App Store Connect with the API key of an app, which is another one than its in-app purchase key. */
@Injectable()
export class AppStoreConnectService {
  private readonly services: ConnectServices;

  constructor(
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly apps: AppsService,
  ) {
    this.services = {
      url: (config.testStores ? config.appleConnectUrl : null) ?? connectApiUrl,
      nowMs: () => clock.nowMs(),
      breaker: storeCircuits(clock),
    };
  }

  /** @throws ApiError 422 if the key is missing or refused, 503 if Apple cannot be reached; TooManyListed */
  async listProducts(app: App, withPrices: boolean): Promise<ListedProduct[]> {
    const api = new ConnectApi(this.keyOf(app), this.services, AbortSignal.timeout(LISTING_DEADLINE_MS));
    const day = withPrices ? utcDay(this.clock.nowMs()) : null;
    try {
      return await listAppStoreProducts(api, app.storeSettings.bundle_id ?? '', day);
    } catch (error) {
      if (!(error instanceof ConnectCallFailed)) throw error;
      if (error.failure === 'unavailable') throw unreachableError(error);
      throw new ApiError('impossible', error.message, { code: 7101 });
    }
  }

  private keyOf(app: App): ConnectKey {
    const missing = connectKey.filter((name) => this.apps.credential(app, name) === null);
    const [privateKeyPem, keyId, issuerId] = connectKey.map((name) => this.apps.credential(app, name));
    if (privateKeyPem && keyId && issuerId) return { privateKeyPem, keyId, issuerId };
    throw new ApiError(
      'impossible',
      `The app has no App Store Connect API key (${missing.join(', ')}). The in-app purchase key cannot read products.`,
      { code: 7101 },
    );
  }
}
