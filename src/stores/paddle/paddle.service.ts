import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  NotGenuine,
  PaddleApi,
  type PaddleEvent,
  paddleKeyEnvironment,
  type PaddleServices,
  PaddleStore,
  readPaddleEvent,
} from '../../../libs/stores/index.js';
import { DEFAULT_CUSTOM_DATA_KEY } from '../../catalog/apps/app.presenter.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import type { NotificationHead } from '../notifications/notification-source.js';
import { soldOnceBy } from '../shared/sold-once.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Paddle while a client waits for its receipt. */
export const DEADLINE_MS = 8_000;
/** Background work may read long histories. */
export const BACKGROUND_DEADLINE_MS = 60_000;

/** Clients of Paddle Billing, by app, each with the developer's own account. Credentials are decrypted only here. */
@Injectable()
export class PaddleService {
  private readonly services: PaddleServices;

  constructor(
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.services = {
      url: config.testStores ? config.paddleApiUrl : null,
      deadlineMs: DEADLINE_MS,
      breaker: storeCircuits(clock),
    };
  }

  keyOf(app: App): string | null {
    return this.apps.credential(app, 'paddle_api_key');
  }

  /** @throws NotGenuine */
  eventIn(app: App, body: Buffer, signature: string): PaddleEvent {
    const secret = this.apps.credential(app, 'paddle_webhook_secret') ?? '';
    if (secret === '') throw new NotGenuine('The app has no paddle_webhook_secret.');
    return readPaddleEvent(body, signature, { secret, nowMs: this.clock.nowMs() });
  }

  /** The header data of an event before Paddle is asked about the purchase. */
  headOf(app: App, { id, type, key, sentAtMs }: PaddleEvent): NotificationHead {
    const environment = this.environmentOf(app, this.keyOf(app));
    return { dedupeKey: id, kind: type, subkind: null, environment, subject: key, sentAtMs };
  }

  environmentOf({ storeSettings }: App, apiKey: string | null): Environment {
    const saved = storeSettings.paddle_is_sandbox === true ? 'sandbox' : 'production';
    return (apiKey === null ? null : paddleKeyEnvironment(apiKey)) ?? saved;
  }

  storeOf(app: App, deadlineMs: number): PaddleStore {
    const apiKey = this.keyOf(app);
    const { app_user_id_source: source, app_user_id_custom_data_key: field } = app.storeSettings;
    const paddleApp = {
      appId: app.id,
      apiKey,
      isSandbox: this.environmentOf(app, apiKey) === 'sandbox',
      customDataKey: source === 'anonymous' ? null : (field ?? DEFAULT_CUSTOM_DATA_KEY),
      soldOnce: async () => soldOnceBy(await this.catalogs.get(app.projectId), app.id),
    };
    return new PaddleStore(paddleApp, { ...this.services, deadlineMs }, () => this.clock.nowMs());
  }

  api({ id: appId }: App, apiKey: string, environment: Environment, deadlineMs = DEADLINE_MS): PaddleApi {
    const services = { ...this.services, deadlineMs };
    return new PaddleApi({ appId, apiKey, isSandbox: environment === 'sandbox' }, services);
  }
}
