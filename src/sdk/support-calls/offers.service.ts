import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { effectiveFacts, type SubscriptionFacts } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { type PromotionalOffer, signPromotionalOffer } from '../../../libs/signing/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { type SdkClient, SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { SubscriptionRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

export interface OfferRequest {
  appUserId: string;
  /** StoreKit 1 passes any app user id to the store, StoreKit 2 only a UUID. */
  storeKitVersion: 1 | 2;
  offers: { offerId: string; productId: string }[];
}

export type SignedOffer = Pick<
  PromotionalOffer,
  'keyId' | 'offerId' | 'productId' | 'nonce' | 'timestampMs'
> & {
  /** Base64. */
  signature: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function badKey(): ApiError {
  const message = "The app's in-app purchase key is missing or invalid.";
  return new ApiError('invalid_request', message, { code: 7234 });
}

/** Store products for which a subscription had a free trial or an introductory price. */
function introProducts({ facts }: SubscriptionRow): string[] {
  return Object.values(effectiveFacts(facts as SubscriptionFacts).periods)
    .filter(({ value }) => value.kind === 'trial' || value.kind === 'intro')
    .map(({ value }) => value.storeProductId);
}

@Injectable()
export class OffersService {
  constructor(
    private readonly catalog: SdkCatalogService,
    private readonly apps: AppsService,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Signs promotional offers with the app's in-app purchase key.
   * @throws ApiError 400: code 7000 for an app of another store, 7234 without a valid key, 7232 for a customer who has
   * never had a subscription of the app (in any subscription group, since the catalog has no groups)
   */
  async sign(
    client: SdkClient,
    { appUserId, storeKitVersion, offers }: OfferRequest,
  ): Promise<SignedOffer[]> {
    const { catalog, app } = await this.catalog.caller(client);
    if (app.type !== 'app_store' && app.type !== 'mac_app_store') {
      throw new ApiError('invalid_request', 'Only apps of the App Store have promotional offers.', {
        code: 7000,
      });
    }
    const row = await this.apps.get(catalog.projectId, app.id);
    const privateKey = this.apps.credential(row, 'subscription_private_key');
    const keyId = this.apps.credential(row, 'subscription_key_id');
    const { bundle_id: bundleId } = row.storeSettings;
    if (privateKey === null || keyId === null || bundleId === undefined) throw badKey();
    const subscriptions = await this.subscriptionsOf(catalog.projectId, appUserId, app.id);
    if (subscriptions.length === 0) {
      throw new ApiError('invalid_request', 'The offer is for customers who have or had a subscription.', {
        code: 7232,
      });
    }
    const username = storeKitVersion === 1 || UUID.test(appUserId) ? appUserId : '';
    const timestampMs = this.clock.nowMs();
    return offers.map(({ offerId, productId }) => {
      const offer = { bundleId, keyId, productId, offerId, username, nonce: randomUUID(), timestampMs };
      return { ...offer, signature: this.signature(privateKey, offer) };
    });
  }

  /** Null if unknown: not in the catalog, or possibly in the subscription group of a product that was tried. */
  async introEligibility(
    client: SdkClient,
    appUserId: string,
    storeIdentifiers: string[],
  ): Promise<Map<string, boolean | null>> {
    const { catalog, app } = await this.catalog.caller(client);
    const subscriptions = await this.subscriptionsOf(catalog.projectId, appUserId, app.id);
    const tried = new Set(subscriptions.flatMap(introProducts));
    const eligible = (identifier: string): boolean | null => {
      if (tried.has(identifier)) return false;
      return tried.size > 0 || catalog.productOf(app.id, identifier) === undefined ? null : true;
    };
    return new Map(storeIdentifiers.map((identifier) => [identifier, eligible(identifier)]));
  }

  private async subscriptionsOf(
    projectId: string,
    appUserId: string,
    appId: string,
  ): Promise<SubscriptionRow[]> {
    const customer = await this.customers.find(projectId, appUserId);
    return customer?.subscriptions.filter((subscription) => subscription.appId === appId) ?? [];
  }

  private signature(privateKey: string, offer: PromotionalOffer): string {
    try {
      return signPromotionalOffer(privateKey, offer);
    } catch {
      throw badKey();
    }
  }
}
