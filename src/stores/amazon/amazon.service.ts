import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { AMAZON_RECEIPTS_URL, type AmazonServices, AmazonStore } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { StoreAccountsService } from '../../customers/customers/identity/store-accounts.service.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Amazon while a client waits for its receipt. */
const DEADLINE_MS = 8_000;

/** Clients of the Amazon Appstore, by app. Credentials are decrypted only here. */
@Injectable()
export class AmazonService {
  private readonly services: AmazonServices;

  constructor(
    private readonly accounts: StoreAccountsService,
    private readonly apps: AppsService,
    private readonly lookups: PurchaseLookupsService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.services = {
      url: (config.testStores ? config.amazonReceiptsUrl : null) ?? AMAZON_RECEIPTS_URL,
      deadlineMs: DEADLINE_MS,
      breaker: storeCircuits(clock),
    };
  }

  /** `secret` replaces the saved shared secret. */
  storeOf(app: App, secret?: string): AmazonStore {
    const { projectId, id: appId } = app;
    const sharedSecret = secret ?? this.apps.credential(app, 'shared_secret');
    const usersOf = (receiptId: string): Promise<string[]> =>
      this.accounts.accountsOfOwner(projectId, appId, 'amazon_user_id', { store: 'amazon', key: receiptId });
    const boughtOnce = async (receiptId: string): Promise<Environment | null> => {
      const known = await this.lookups.knownAs(projectId, 'amazon', receiptId);
      return known?.kind === 'one_time' ? known.environment : null;
    };
    const amazonApp = { appId, sharedSecret, usersOf, boughtOnce };
    return new AmazonStore(amazonApp, this.services, () => this.clock.nowMs());
  }
}
