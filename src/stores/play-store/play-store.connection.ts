import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AnswerResult,
  failedReview,
  type GooglePlay,
  type ListedProduct,
  listGoogleProducts,
  type PlayApi,
  PlayCallFailed,
  type StoreAdapter,
  verificationFailure,
  credentialsHelp,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import {
  type CredentialsVerdict,
  type ExtensionRequest,
  type ReviewToSend,
  type StoreConnection,
  StoreConnectionsService,
} from '../shared/store-connections.service.js';
import { PlayService } from './play.service.js';
import { LISTING_DEADLINE_MS } from '../shared/listing-deadline.js';
import { listingError, refusalOf, storeError } from './play-errors.js';

const DAY_MS = 86_400_000;
const MAX_DEFERRAL_MS = 366 * DAY_MS;

@Injectable()
export class PlayStoreConnection implements StoreConnection, OnModuleInit {
  readonly appTypes = ['play_store'] as const;

  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly play: PlayService,
    private readonly lookups: PurchaseLookupsService,
    private readonly health: CredentialHealthService,
  ) {}

  onModuleInit(): void {
    this.connections.add(this);
  }

  adapterFor(app: App): StoreAdapter {
    return {
      store: 'play_store',
      verify: (receipt, context) =>
        this.asked(
          () => this.play.storeOf(app),
          (store) => store.verify(receipt, context),
        ),
      order: (orderId) =>
        this.asked(
          () => this.play.storeOf(app),
          (store) => store.order(orderId),
        ),
      lookUp: (named) =>
        this.asked(
          () => this.play.background(app),
          (store) => store.lookUp(named),
        ),
      keysOfOrders: async (orderIds, goOn) => {
        const asked = await this.asked(
          () => this.play.background(app),
          (store) => store.keysOfOrders(orderIds, goOn),
        );
        return 'keys' in asked ? asked : { keys: new Map(), unknown: [], failure: asked };
      },
      refresh: async (key, environment) => {
        const token = await this.tokenOf(app, key);
        return this.asked(
          () => this.play.background(app),
          (store) => store.refresh(token, environment),
        );
      },
    };
  }

  async verifyCredentials(app: App, given: Record<string, string>): Promise<CredentialsVerdict> {
    try {
      const { serviceAccount } = this.play.appOf(app, given);
      const clientEmail = serviceAccount?.clientEmail;
      return { ...(await this.verdictOf(app, given)), ...(clientEmail !== undefined && { clientEmail }) };
    } catch (error) {
      if (error instanceof PlayCallFailed) return { status: 'invalid', message: error.message };
      throw error;
    }
  }

  async listProducts(app: App): Promise<ListedProduct[]> {
    try {
      return await listGoogleProducts(this.play.api(app, {}, LISTING_DEADLINE_MS));
    } catch (error) {
      throw listingError(error);
    }
  }

  async cancel(app: App, key: string): Promise<void> {
    const token = await this.tokenOf(app, key);
    await this.ordered(app, (api) => api.cancel(token));
  }

  async revoke(app: App, key: string, addOnId?: string): Promise<void> {
    const token = await this.tokenOf(app, key);
    await this.ordered(app, (api) => api.revoke(token, addOnId));
  }

  async refund(app: App, orderId: string, endsAccess: boolean): Promise<void> {
    await this.ordered(app, (api) => api.refundOrder(orderId, endsAccess));
  }

  async extend(app: App, { key, byMs }: ExtensionRequest): Promise<number> {
    if (byMs < DAY_MS || byMs > MAX_DEFERRAL_MS) {
      throw ApiError.parameter('extend_by_days', 'Google Play can defer by one day to one year.');
    }
    const token = await this.tokenOf(app, key);
    return this.ordered(app, (api) => api.defer(token, Math.round(byMs / 1000)));
  }

  async reviewRefund(app: App, { orderId, token, review }: ReviewToSend): Promise<AnswerResult> {
    const send = async (): Promise<void> => this.play.api(app).reviewRefund(orderId, token, review);
    try {
      await this.health.watched(app, send, refusalOf);
      return { result: 'sent' };
    } catch (error) {
      if (error instanceof PlayCallFailed) return failedReview(error);
      throw error;
    }
  }

  /** The subscription's current token: a plan change that takes effect later issues a new one. */
  private tokenOf({ projectId }: App, key: string): Promise<string> {
    return this.lookups.presentName(projectId, 'play_store', key);
  }

  private async ordered<Answer>(app: App, order: (api: PlayApi) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.health.watched(app, async () => order(this.play.api(app)), refusalOf);
    } catch (error) {
      throw storeError(error);
    }
  }

  private async verdictOf(
    app: App,
    given: Record<string, string>,
  ): Promise<Pick<CredentialsVerdict, 'status' | 'message'>> {
    try {
      await this.play.api(app, given).check();
      return { status: 'valid', message: 'Google Play accepts the service account.' };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unavailable' || failure === 'quota')
        return { status: 'unreachable', message: error.message };
      return { status: 'invalid', message: credentialsHelp(error) };
    }
  }

  /** Invalid credentials are not the purchase's fault. */
  private async asked<Answer>(
    open: () => GooglePlay,
    ask: (store: GooglePlay) => Promise<Answer>,
  ): Promise<Answer | ReturnType<typeof verificationFailure>> {
    let store: GooglePlay;
    try {
      store = open();
    } catch (error) {
      if (error instanceof PlayCallFailed) return verificationFailure(error);
      throw error;
    }
    return ask(store);
  }
}
