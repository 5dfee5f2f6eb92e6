import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AppleApp,
  AppleCallFailed,
  type AnswerResult,
  AppStore,
  failedAnswer,
  type InAppPurchaseKey,
  type ListedProduct,
  type StoreAdapter,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import {
  type ConsumptionToSend,
  type CredentialsVerdict,
  type ExtensionRequest,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { AppStoreConnectService } from './app-store-connect.service.js';
import { AppleService } from './apple.service.js';
import { keyMissing, refusalOf, storeError } from './apple-errors.js';

const MAX_DAYS = 90;

@Injectable()
export class AppStoreConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['app_store', 'mac_app_store'] as const;
  /** Half of Apple's limit. */
  readonly refreshesPerSecond = { production: 25, sandbox: 2.5 };
  readonly reportsRefundsOnRequest = 'by_account';

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly apple: AppleService,
    private readonly connect: AppStoreConnectService,
    private readonly health: CredentialHealthService,
    private readonly lookups: PurchaseLookupsService,
  ) {}

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    const { services, background } = this.apple;
    const appleApp = this.apple.appOf(app);
    const interactive = new AppStore(appleApp, services);
    const inBackground = new AppStore(appleApp, background);
    return {
      store: interactive.store,
      verify: (receipt, context) => interactive.verify(receipt, context),
      verifyInstallation: (signed) => interactive.verifyInstallation(signed),
      order: (orderId) => interactive.order(orderId),
      identify: (transactionId) => inBackground.identify(transactionId),
      lookUp: (named) => inBackground.lookUp(named),
      refresh: async (key, environment) =>
        inBackground.refresh(await this.presentName(app, key), environment),
    };
  }

  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const appleApp = this.apple.appOf(app, given);
    const { key } = appleApp;
    if (key === null) {
      const missing = this.apple.missingOfKey(app, given).join(', ');
      return { status: 'invalid', message: keyMissing(missing).message };
    }
    return { ...(await this.verdictOf(appleApp, key)), keyId: key.keyId };
  }

  listProducts(app: App, { withPrices }: { withPrices: boolean }): Promise<ListedProduct[]> {
    return this.connect.listProducts(app, withPrices);
  }

  async extend(app: App, { environment, key, days, reasonCode }: ExtensionRequest): Promise<number> {
    if (days > MAX_DAYS) {
      throw ApiError.parameter('extend_by_days', `The App Store can extend by 1 to ${MAX_DAYS} days.`);
    }
    if (reasonCode === null) {
      throw ApiError.parameter('extend_reason_code', 'extend_reason_code is required for the App Store.');
    }
    const appleApp = this.apple.appOf(app);
    if (appleApp.key === null) throw keyMissing();
    const api = this.apple.api(appleApp, appleApp.key, environment);
    const extension = { days, reasonCode, requestId: randomUUID() };
    try {
      const id = await this.presentName(app, key);
      return await this.health.watched(app, () => api.extend(id, extension), refusalOf);
    } catch (error) {
      throw storeError(error);
    }
  }

  async sendConsumption(
    app: App,
    { environment, transactionId, answer }: ConsumptionToSend,
  ): Promise<AnswerResult> {
    const appleApp = this.apple.appOf(app);
    if (appleApp.key === null) return { result: 'credentials', message: keyMissing().message };
    const api = this.apple.api(appleApp, appleApp.key, environment);
    try {
      await this.health.watched(app, () => api.sendConsumption(transactionId, answer), refusalOf);
      return { result: 'sent' };
    } catch (error) {
      if (error instanceof AppleCallFailed) return failedAnswer(error);
      throw error;
    }
  }

  /** The original id in use: a switch to a bundle, or back, starts a new one. */
  private presentName({ projectId, type }: App, key: string): Promise<string> {
    return this.lookups.presentName(projectId, type === 'mac_app_store' ? type : 'app_store', key);
  }

  /** An app that was never released cannot call production, so the sandbox answer decides. */
  private async verdictOf(
    app: AppleApp,
    key: InAppPurchaseKey,
  ): Promise<Pick<CredentialsVerdict, 'status' | 'message'>> {
    let refusal = '';
    for (const environment of ['production', 'sandbox'] as const) {
      try {
        await this.apple.api(app, key, environment).check();
        return { status: 'valid', message: 'Apple accepts the in-app purchase key.' };
      } catch (error) {
        if (!(error instanceof AppleCallFailed)) throw error;
        if (error.failure === 'unavailable') return { status: 'unreachable', message: error.message };
        refusal = error.message;
      }
    }
    return { status: 'invalid', message: refusal };
  }
}
