import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  AMAZON_RECEIPTS_URL,
  type AmazonServices,
  AmazonStore,
  type StoreAdapter,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { StoreAccountsService } from '../../customers/customers/store-accounts.service.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnections,
} from '../shared/store-connections.js';
import { verificationError } from '../shared/verification-error.js';
import { storeCircuits } from '../shared/store-circuits.js';

/** Whoever posts a receipt waits no longer than this for Amazon. */
const DEADLINE_MS = 8_000;

/** Names no receipt of anybody. */
const NOBODY = 'check';

/** The Amazon Appstore. */
@Injectable()
export class AmazonConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['amazon'] as const;
  readonly tellsRefundsIfAsked = 'by_purchase';
  private readonly services: AmazonServices;

  constructor(
    private readonly connections: StoreConnections,
    private readonly accounts: StoreAccountsService,
    private readonly apps: AppsService,
    private readonly health: CredentialHealth,
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

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    return this.storeOf(app);
  }

  /** Unlike a purchase, a receipt of nobody is refused in both environments, but only with a good secret. */
  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const found = await this.storeOf(app, given.shared_secret).find(NOBODY, NOBODY);
    if (!('failure' in found) || found.failure === 'permanent') {
      return { status: 'valid', message: 'Amazon takes the shared secret.' };
    }
    const { failure, message } = found;
    return { status: failure === 'credentials' ? 'invalid' : 'unreachable', message };
  }

  /**
   * Amazon's own words about a receipt.
   * @throws ApiError 4xx for one it does not know, 5xx while it does not answer, or not to us
   */
  async receipt(app: App, userId: string, receiptId: string): Promise<Record<string, unknown>> {
    if (app.type !== 'amazon') {
      throw new ApiError('invalid_request', 'Only apps of the Amazon store have Amazon receipts.', {
        code: 7000,
      });
    }
    const found = await this.storeOf(app).find(userId, receiptId);
    await this.health.note(app, 'amazon', 'failure' in found ? found : { failure: null });
    if ('failure' in found) throw verificationError(found);
    return found.json;
  }

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
