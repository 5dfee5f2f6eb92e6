import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RokuCallFailed, type StoreAdapter } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { RokuService } from './roku.service.js';

/** No transaction has this id. */
const NO_TRANSACTION = '0'.repeat(32);

@Injectable()
export class RokuConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['roku'] as const;
  /** A refresh takes up to four requests. Roku asks for a nightly sync that is spread over hours. */
  readonly refreshesPerSecond = { production: 5, sandbox: 5 };

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly roku: RokuService,
  ) {}

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    return this.roku.storeOf(app);
  }

  /** If the key is valid, and only then, Roku reports the transaction as unknown. */
  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const valid = { status: 'valid', message: 'Roku accepts the API key.' } as const;
    try {
      await this.roku.storeOf(app, given.roku_api_key).check(NO_TRANSACTION);
      return valid;
    } catch (error) {
      if (!(error instanceof RokuCallFailed)) throw error;
      const { failure, message } = error;
      if (failure === 'unknown') return valid;
      return { status: failure === 'credentials' ? 'invalid' : 'unreachable', message };
    }
  }
}
