import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  type KnownRokuPurchase,
  ROKU_API_URL,
  type RokuServices,
  RokuStore,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Roku while a client waits for its receipt. */
const DEADLINE_MS = 8_000;

/** Clients of Roku Pay, by app. Credentials are decrypted only here. */
@Injectable()
export class RokuService {
  private readonly services: RokuServices;

  constructor(
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    private readonly lookups: PurchaseLookupsService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.services = {
      url: (config.testStores ? config.rokuApiUrl : null) ?? ROKU_API_URL,
      deadlineMs: DEADLINE_MS,
      breaker: storeCircuits(clock),
    };
  }

  /** `key` replaces the saved API key. */
  storeOf(app: App, key?: string): RokuStore {
    const { projectId, id: appId, storeSettings } = app;
    const rokuApp = {
      appId,
      apiKey: key ?? this.apps.credential(app, 'roku_api_key'),
      channelId: storeSettings.roku_channel_id ?? null,
      known: (subscriptionKey: string) => this.known(projectId, subscriptionKey),
      sold: async (productId: string) => {
        const product = (await this.catalogs.get(projectId)).productOf(appId, productId);
        const isSoldOnce = product !== undefined && product.type !== 'subscription';
        return { isSoldOnce, duration: product?.duration ?? null };
      },
      appOfChannel: async (channelId: string) => (await this.appOfChannel(app, channelId))?.id ?? null,
    };
    return new RokuStore(rokuApp, this.services, () => this.clock.nowMs());
  }

  /** The project's app that sells in a channel. Prefers this app if it can sell there; null if there is none. */
  async appOfChannel(app: App, channelId: string): Promise<App | null> {
    const { roku_channel_id: own } = app.storeSettings;
    if (own === channelId) return app;
    const all = await this.apps.all(app.projectId);
    const other = all.find(
      ({ type, storeSettings }) => type === 'roku' && storeSettings.roku_channel_id === channelId,
    );
    return other ?? (own === undefined ? app : null);
  }

  private async known(projectId: string, subscriptionKey: string): Promise<KnownRokuPurchase | null> {
    const known = await this.lookups.knownAs(projectId, 'roku', subscriptionKey);
    if (known === null) return null;
    const { kind, environment } = known;
    const ids =
      kind === 'subscription' ? await this.lookups.transactionIds(projectId, 'roku', subscriptionKey) : [];
    // A renewal found by its expiration has no transaction yet.
    const latestId = ids.find((id) => !id.startsWith(`${subscriptionKey}.`)) ?? null;
    return { kind, environment, latestId };
  }
}
