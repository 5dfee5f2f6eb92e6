import { Inject, Injectable } from '@nestjs/common';
import { deriveOneTime, effectiveFacts, type SubscriptionFacts } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import {
  backendInfo,
  type CustomerInfoParts,
} from '../../customers/customers/customer-info/customer-info.js';
import type {
  SubscriptionRow,
  CustomerRow,
  OneTimeRow,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { oneTimeOf, ownedSubscription } from '../../customers/customers/customer-info/customer-purchases.js';
import type { AddOnName } from './revoked-add-on.js';
import { StoreOrdersService } from './store-orders.service.js';
import { type ExtensionOptions, SubscriptionExtensionsService } from './subscription-extensions.service.js';

export type StoreActionOrder =
  { action: 'cancel' | 'refund' | 'revoke' } | { action: 'defer' | 'extend'; options: ExtensionOptions };

export interface StoreActionRequest {
  appUserId: string;
  order: StoreActionOrder;
  /** The store's product id, or any of the purchase's transaction ids. */
  by: 'product' | 'transaction';
  name: string;
}

interface Named {
  store: string;
  subscription: SubscriptionRow | null;
  oneTime: OneTimeRow | null;
  productNames: string[];
  addOns: ReadonlyMap<string, AddOnName>;
  transactionIds: string[];
  /**
   * When the purchase ends. If several match a name, the one that ends last wins, among stores that support the action.
   */
  endsAtMs: number;
}

/** The stores that support each action in REST v1. */
const storesOf: Record<StoreActionOrder['action'], readonly string[]> = {
  cancel: ['play_store'],
  defer: ['play_store'],
  refund: ['play_store', 'test_store'],
  revoke: ['play_store'],
  extend: ['app_store', 'mac_app_store'],
};

function namesOf({ storeProductId, planId }: AddOnName): string[] {
  return planId === null ? [storeProductId] : [storeProductId, `${storeProductId}:${planId}`];
}

function paysFor({ facts }: SubscriptionRow, transactionId: string): boolean {
  const { periods, addOns = {} } = effectiveFacts(facts as SubscriptionFacts);
  return [...Object.values(periods), ...Object.values(addOns)].some(
    ({ value }) => value.storeTransactionId === transactionId,
  );
}

@Injectable()
export class StoreActionsService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly orders: StoreOrdersService,
    private readonly extensions: SubscriptionExtensionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws ApiError 404 for an unknown customer or purchase; 400 if the store lacks the action or refuses it; 503 if
   * it cannot be reached
   */
  async run(
    write: ProjectWrite,
    { appUserId, order, by, name }: StoreActionRequest,
  ): Promise<CustomerInfoParts> {
    const { projectId } = write;
    const { action } = order;
    const customer = await this.customers.get(projectId, appUserId);
    const purchases = this.purchasesOf(customer).filter(
      ({ subscription }) => subscription !== null || action === 'refund',
    );
    const direct = purchases.filter(({ productNames, transactionIds }) =>
      (by === 'product' ? productNames : transactionIds).includes(name),
    );
    const carrying = by === 'product' ? purchases.filter(({ addOns }) => addOns.has(name)) : [];
    const isRunning = ({ endsAtMs }: Named): boolean => endsAtMs > this.clock.nowMs();
    // An expired subscription to that product must not hide an active add-on.
    const isAddOn = direct.length === 0 || (!direct.some(isRunning) && carrying.some(isRunning));
    const named = isAddOn ? carrying : direct;
    const [first] = named;
    if (!first) throw ApiError.missing(by === 'product' ? 'subscription' : 'transaction', name);
    // Apps often use the same product name in all stores.
    const found = named.find(({ store }) => storesOf[action].includes(store));
    if (!found) {
      const message = `Purchases of ${first.store} do not support the action ${action}.`;
      throw new ApiError('invalid_request', message, { code: 7000 });
    }
    const addOn = isAddOn ? found.addOns.get(name) : undefined;
    if (addOn && found.subscription && action === 'revoke') {
      await this.orders.revokeAddOn(write, found.subscription, addOn);
    } else {
      await this.carryOut(write, found, order, name);
    }
    const [after, catalog] = await Promise.all([
      this.customers.get(projectId, appUserId),
      this.catalogs.get(projectId),
    ]);
    return backendInfo(after, catalog, this.clock.nowMs());
  }

  private async carryOut(
    write: ProjectWrite,
    { subscription, oneTime }: Named,
    order: StoreActionOrder,
    name: string,
  ): Promise<void> {
    if (oneTime) return this.orders.refundOneTime(write, oneTime);
    if (!subscription) return;
    switch (order.action) {
      case 'cancel':
        return this.orders.cancel(write, subscription);
      case 'revoke':
        return this.orders.revoke(write, subscription);
      case 'refund':
        // A key of the whole subscription (a purchase token) means its latest payment.
        return paysFor(subscription, name)
          ? this.orders.refund(write, subscription, name, true)
          : this.orders.refundLatest(write, subscription);
      case 'defer':
      case 'extend':
        return this.extensions.extend(write, subscription, order.options);
    }
  }

  private purchasesOf({ subscriptions, purchases }: CustomerRow): Named[] {
    const nowMs = this.clock.nowMs();
    const renewing = subscriptions.map((row): Named => {
      const { state } = ownedSubscription(row, nowMs);
      const { storeIdentifiers, accessEndsAtMs } = state;
      const productNames = namesOf(state);
      const addOns = new Map(state.addOns.flatMap((addOn) => namesOf(addOn).map((one) => [one, addOn])));
      const transactionIds = [...storeIdentifiers, row.storeKey];
      const endsAtMs = accessEndsAtMs ?? Infinity;
      return {
        store: row.store,
        subscription: row,
        oneTime: null,
        productNames,
        addOns,
        transactionIds,
        endsAtMs,
      };
    });
    const oneTime = purchases.map((row): Named => {
      const state = deriveOneTime(oneTimeOf(row).facts);
      return {
        store: row.store,
        subscription: null,
        oneTime: row,
        productNames: [state.storeProductId],
        addOns: new Map(),
        transactionIds: [state.storeTransactionId, row.purchaseKey],
        endsAtMs: 0,
      };
    });
    return [...renewing, ...oneTime].sort((a, b) => b.endsAtMs - a.endsAtMs);
  }
}
