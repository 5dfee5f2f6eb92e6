import { Injectable, type OnModuleInit, Inject } from '@nestjs/common';
import {
  type StoreAdapter,
  AMAZON_RECEIPTS_URL,
  type AmazonServices,
  AmazonStore,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { verificationError } from '../shared/verification-error.js';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { StoreAccountsService } from '../../customers/customers/identity/store-accounts.service.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Deadline for Amazon while a client waits for its receipt. */
const DEADLINE_MS = 8_000;
/** A receipt id that does not exist at Amazon. */
const NO_RECEIPT = 'check';

@Injectable()
export class AmazonConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['amazon'] as const;
  readonly reportsRefundsOnRequest = 'by_purchase';
  private readonly services: AmazonServices;

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly apps: AppsService,
    private readonly accounts: StoreAccountsService,
    private readonly lookups: PurchaseLookupsService,
    private readonly health: CredentialHealthService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.services = {
      url: (config.testStores ? config.amazonReceiptsUrl : null) ?? AMAZON_RECEIPTS_URL,
      deadlineMs: DEADLINE_MS,
      breaker: storeCircuits(clock),
    };
  }

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    return this.storeOf(app);
  }

  /** If the secret is valid, and only then, both environments report a nonexistent receipt as unknown. */
  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const found = await this.storeOf(app, given.shared_secret).find(NO_RECEIPT, NO_RECEIPT);
    if (!('failure' in found) || found.failure === 'permanent') {
      return { status: 'valid', message: 'Amazon accepts the shared secret.' };
    }
    const { failure, message } = found;
    return { status: failure === 'credentials' ? 'invalid' : 'unreachable', message };
  }

  /** @throws ApiError 4xx if Amazon does not know it, 5xx while Amazon does not answer or refuses the credentials */
  async receipt(app: App, userId: string, receiptId: string): Promise<Record<string, unknown>> {
    if (app.type !== 'amazon') {
      throw new ApiError('invalid_request', 'Only apps of the Amazon store have Amazon receipts.', {
        code: 7000,
      });
    }
    const found = await this.storeOf(app).find(userId, receiptId);
    await this.health.recordResult(app, 'amazon', 'failure' in found ? found : { failure: null });
    if ('failure' in found) throw verificationError(found);
    return found.json;
  }

  /** The client of an app. `secret` replaces the saved shared secret, which is decrypted only here. */
  private storeOf(app: App, secret?: string): AmazonStore {
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
