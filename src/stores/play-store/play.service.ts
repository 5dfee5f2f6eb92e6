import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  GoogleClients,
  GooglePlay,
  type GoogleServices,
  googleUrls,
  PlayApi,
  type PlayApp,
  PlayCallFailed,
  PushTokens,
  readServiceAccount,
  type ServiceAccount,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Google while a client waits for its receipt. */
const DEADLINE_MS = 8_000;
const BACKGROUND_DEADLINE_MS = 60_000;

/** Clients of Google Play, by app. Credentials are decrypted only here. */
@Injectable()
export class PlayService {
  readonly pushTokens: PushTokens;
  private readonly services: GoogleServices;

  constructor(
    config: Config,
    @Inject(CLOCK) clock: Clock,
    private readonly apps: AppsService,
  ) {
    const nowMs = (): number => clock.nowMs();
    const urls = { ...googleUrls };
    if (config.testStores && config.playApiUrl) urls.api = config.playApiUrl;
    if (config.testStores && config.googleTokenUrl) urls.token = config.googleTokenUrl;
    if (config.testStores && config.googleCertsUrl) urls.certs = config.googleCertsUrl;
    this.services = {
      clients: new GoogleClients(urls, storeCircuits(clock)),
      nowMs,
      deadlineMs: DEADLINE_MS,
    };
    this.pushTokens = new PushTokens(urls.certs, nowMs);
  }

  /**
   * An app with its credentials; fields in `given` replace the saved ones.
   * @throws PlayCallFailed if they cannot be used
   */
  appOf(app: App, given: Record<string, string> = {}): PlayApp {
    const text =
      given.play_service_account_credentials_json ??
      this.apps.credential(app, 'play_service_account_credentials_json');
    return {
      packageName: given.package_name ?? app.storeSettings.package_name ?? '',
      serviceAccount: text === null ? null : accountIn(text),
    };
  }

  /** Creates a client for requests with a caller waiting. @throws PlayCallFailed */
  storeOf(app: App): GooglePlay {
    return new GooglePlay(this.appOf(app), this.services);
  }

  /** Creates a client for background work. @throws PlayCallFailed */
  background(app: App): GooglePlay {
    return new GooglePlay(this.appOf(app), { ...this.services, deadlineMs: BACKGROUND_DEADLINE_MS });
  }

  /** @throws PlayCallFailed for an app without credentials */
  api(app: App, given: Record<string, string> = {}, deadlineMs = DEADLINE_MS): PlayApi {
    return new PlayApi(this.appOf(app, given), this.services.clients, AbortSignal.timeout(deadlineMs));
  }
}

function accountIn(text: string): ServiceAccount {
  try {
    return readServiceAccount(text);
  } catch (error) {
    if (error instanceof RangeError) throw new PlayCallFailed('credentials', error.message);
    throw error;
  }
}
