import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { StoreAdapter } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { verificationError } from '../shared/verification-error.js';
import { AmazonService } from './amazon.service.js';

/** A receipt id that does not exist at Amazon. */
const NO_RECEIPT = 'check';

@Injectable()
export class AmazonConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['amazon'] as const;
  readonly reportsRefundsOnRequest = 'by_purchase';

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly amazon: AmazonService,
    private readonly health: CredentialHealthService,
  ) {}

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    return this.amazon.storeOf(app);
  }

  /** If the secret is valid, and only then, both environments report a nonexistent receipt as unknown. */
  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const found = await this.amazon.storeOf(app, given.shared_secret).find(NO_RECEIPT, NO_RECEIPT);
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
    const found = await this.amazon.storeOf(app).find(userId, receiptId);
    await this.health.note(app, 'amazon', 'failure' in found ? found : { failure: null });
    if ('failure' in found) throw verificationError(found);
    return found.json;
  }
}
