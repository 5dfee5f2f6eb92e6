import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import {
  type ListedProduct,
  listPaddleProducts,
  noPathCodes,
  PaddleCallFailed,
  paddleKeyEnvironment,
  type StoreAdapter,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { SubscriptionsService } from '../../purchases/subscriptions/subscriptions.service.js';
import {
  type CredentialsVerdict,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { LISTING_DEADLINE_MS } from '../shared/listing-deadline.js';
import { unreachableError } from '../shared/unreachable-error.js';
import { BACKGROUND_DEADLINE_MS, DEADLINE_MS, PaddleService } from './paddle.service.js';

/** Permissions needed for verifying receipts and reading missed events. */
const permissions = [
  'address.read',
  'adjustment.read',
  'customer.read',
  'notification.read',
  'price.read',
  'product.read',
  'subscription.read',
  'transaction.read',
];

function missingIn(granted: readonly string[]): string[] {
  // Write permission includes read permission.
  return permissions.filter(
    (name) => !granted.includes(name) && !granted.includes(name.replace('.read', '.write')),
  );
}

const names = { production: 'live', sandbox: 'sandbox' };

@Injectable()
export class PaddleConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['paddle'] as const;
  /** Half of Paddle's limit: an IP address may make 240 requests a minute, and each refresh takes two. */
  readonly refreshesPerSecond = { production: 1, sandbox: 1 };
  readonly limitsByAddress = true;
  readonly reportsRefundsOnRequest = 'by_purchase';

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly paddle: PaddleService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  onModuleInit(): void {
    this.connections.add(this);
    this.subscriptions.addPage('paddle', (app, key) => this.managementPage(app, key));
  }

  adapterFor(app: App): StoreAdapter {
    const interactive = this.paddle.storeOf(app, DEADLINE_MS);
    const inBackground = this.paddle.storeOf(app, BACKGROUND_DEADLINE_MS);
    return {
      store: 'paddle',
      verify: (receipt, context) => interactive.verify(receipt, context),
      lookUp: (named) => inBackground.lookUp(named),
      refresh: (key, environment) => inBackground.refresh(key, environment),
    };
  }

  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    const apiKey = given.paddle_api_key ?? this.paddle.keyOf(app);
    if (apiKey === null) return { status: 'invalid', message: 'The app has no paddle_api_key.' };
    const environment = this.paddle.environmentOf(app, apiKey);
    const verdict = await this.tried(app, apiKey, environment);
    if (verdict.status !== 'invalid' || paddleKeyEnvironment(apiKey) !== null) return verdict;
    // Old keys do not name their environment.
    const other = environment === 'sandbox' ? 'production' : 'sandbox';
    if ((await this.tried(app, apiKey, other)).status !== 'valid') return verdict;
    const message = `The key is of Paddle's ${names[other]} environment: set paddle_is_sandbox to ${other === 'sandbox'}.`;
    return { status: 'invalid', message };
  }

  async listProducts(app: App): Promise<ListedProduct[]> {
    const apiKey = this.paddle.keyOf(app);
    if (apiKey === null) throw new ApiError('impossible', 'The app has no paddle_api_key.');
    const environment = this.paddle.environmentOf(app, apiKey);
    try {
      return await listPaddleProducts(this.paddle.api(app, apiKey, environment, LISTING_DEADLINE_MS));
    } catch (error) {
      if (!(error instanceof PaddleCallFailed)) throw error;
      if (error.failure === 'unavailable') throw unreachableError(error);
      throw new ApiError(
        'impossible',
        `paddle_api_key must be a key with the permissions price.read and product.read. ${error.message}`,
        { code: 7101 },
      );
    }
  }

  /**
   * Creates a signed-in page of the customer portal.
   * @throws ApiError 422 if the key may not create one, 503 while Paddle does not answer
   */
  async managementPage(app: App, subscriptionId: string): Promise<string> {
    const apiKey = this.paddle.keyOf(app);
    if (apiKey === null) throw new ApiError('impossible', 'The app has no paddle_api_key.');
    const environment = this.paddle.environmentOf(app, apiKey);
    try {
      const url = await this.paddle.api(app, apiKey, environment).portalSession(subscriptionId);
      if (url !== null) return url;
    } catch (error) {
      if (!(error instanceof PaddleCallFailed)) throw error;
      if (error.failure === 'unavailable')
        throw new ApiError('store_unreachable', error.message, { code: 7101 });
      throw new ApiError('impossible', error.message);
    }
    throw new ApiError('impossible', 'Paddle named no page.');
  }

  private async tried(app: App, apiKey: string, environment: Environment): Promise<CredentialsVerdict> {
    try {
      const { api, caller } = await this.paddle.api(app, apiKey, environment).root();
      if (caller.account === null) return { status: 'invalid', message: 'Paddle does not know the key.' };
      if (api.environment !== environment) {
        return {
          status: 'invalid',
          message: `The key is of Paddle's ${names[api.environment]} environment.`,
        };
      }
      const missing = missingIn(caller.permissions);
      if (missing.length > 0) {
        return { status: 'invalid', message: `The key lacks permissions: ${missing.join(', ')}.` };
      }
      return { status: 'valid', message: `Paddle accepts the key (${names[environment]}).` };
    } catch (error) {
      if (error instanceof PaddleCallFailed && noPathCodes.has(error.code ?? '')) {
        return this.probed(app, apiKey, environment);
      }
      return verdictOf(error);
    }
  }

  /** Without the API root, test the key's permissions by reading. */
  private async probed(app: App, apiKey: string, environment: Environment): Promise<CredentialsVerdict> {
    try {
      await this.paddle.api(app, apiKey, environment).probe();
      return { status: 'valid', message: `Paddle accepts the key (${names[environment]}).` };
    } catch (error) {
      return verdictOf(error);
    }
  }
}

function verdictOf(error: unknown): CredentialsVerdict {
  if (!(error instanceof PaddleCallFailed)) throw error;
  const { failure, message } = error;
  return { status: failure === 'unavailable' ? 'unreachable' : 'invalid', message };
}
