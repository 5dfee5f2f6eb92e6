import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { AppleServerApi } from '../../../libs/stores/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { AppleService } from './apple.service.js';
import { keyMissing, refusalOf, storeError } from './apple-errors.js';

export interface CallableAppStore {
  /** @throws ApiError 422 if Apple refuses, 503 if it cannot be reached */
  ask<Answer>(call: (api: AppleServerApi) => Promise<Answer>): Promise<Answer>;
}

/** Calls to Apple on behalf of a person. */
@Injectable()
export class AppStoreCallsService {
  constructor(
    private readonly apps: AppsService,
    private readonly apple: AppleService,
    private readonly health: CredentialHealthService,
  ) {}

  /** @throws ApiError 404 */
  async assertApp(projectId: string, appId: string): Promise<void> {
    await this.apps.get(projectId, appId);
  }

  /**
   * @param purpose what only the App Store can do, for the error of another store
   * @throws ApiError 404; 422 for an app of another store or without a key
   */
  async storeOf(
    { projectId, appId }: { projectId: string; appId: string },
    environment: Environment,
    purpose: string,
  ): Promise<CallableAppStore> {
    const app = await this.apps.get(projectId, appId);
    if (app.type !== 'app_store' && app.type !== 'mac_app_store') {
      throw new ApiError('impossible', `Only the App Store ${purpose}.`);
    }
    const appleApp = this.apple.appOf(app);
    if (appleApp.key === null) throw keyMissing();
    const api = this.apple.api(appleApp, appleApp.key, environment);
    // An app that was never released cannot call production, so a refusal there does not concern the key.
    const refusal = environment === 'sandbox' ? refusalOf : () => null;
    return {
      ask: async (call) => {
        try {
          return await this.health.watched(app, () => call(api), refusal);
        } catch (error) {
          throw storeError(error);
        }
      },
    };
  }
}
