import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { CustomerSelection } from '../../customers/customers/identity/customers.repository.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { isWebStore } from '../../platform/principal/app-types.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { ofOneTime, ofSubscription, purchaseOf, type RedeemablePurchase } from './redeemable-purchase.js';
import type { RedemptionLink } from './redemption-link.entity.js';

/** Identifies a purchase in a request, by exactly one of these fields. */
export interface PurchaseReference {
  subscription_id?: string | null;
  purchase_id?: string | null;
  store_purchase_identifier?: string | null;
}

export interface LockedPurchase {
  wanted: CustomerSelection;
  locked: CustomerRow[];
  /** Null if the purchase was deleted. */
  owner: CustomerRow | null;
}

const NAMES = ['subscription_id', 'purchase_id', 'store_purchase_identifier'] as const;
/** Considers only the newest purchases with a store identifier. */
const NAMED = { limit: 20, after: null };

@Injectable()
export class RedeemablePurchasesService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Finds the purchase that a request names.
   * @throws ApiError 400 unless exactly one name is given, 404 naming the field, 422 if no app can redeem it
   */
  async named(projectId: string, reference: PurchaseReference): Promise<RedeemablePurchase> {
    const given = NAMES.filter((name) => typeof reference[name] === 'string');
    const [name] = given;
    if (name === undefined || given.length > 1) {
      throw ApiError.parameter(given[1] ?? NAMES[0], `Give exactly one of ${NAMES.join(', ')}.`);
    }
    const id = reference[name] as string;
    const found = await this.lookup(projectId, name, id);
    if (!found) throw ApiError.missing(name === 'subscription_id' ? 'subscription' : 'purchase', id, name);
    if (!isWebStore(found.store)) {
      throw new ApiError('impossible', `Purchases of ${found.store} are made in an app.`, { param: name });
    }
    if (found.hasEnded) {
      throw new ApiError('impossible', 'The purchase has ended or was refunded.', { param: name });
    }
    return found;
  }

  /** Returns the current state of a link's purchase; null if it was deleted. */
  async ofLink({
    projectId,
    purchaseKind,
    purchaseId,
  }: Pick<RedemptionLink, 'projectId' | 'purchaseKind' | 'purchaseId'>): Promise<RedeemablePurchase | null> {
    return this.lookup(
      projectId,
      purchaseKind === 'subscription' ? 'subscription_id' : 'purchase_id',
      purchaseId,
    );
  }

  /** Locks the owner and the customers of `appUserIds`. */
  async lock(
    tx: Transaction,
    projectId: string,
    purchase: RedeemablePurchase,
    appUserIds: string[] = [],
  ): Promise<LockedPurchase> {
    const { store, environment, key } = purchase;
    const wanted = { appUserIds, purchaseKeys: { store, environment, keys: [key] } };
    const locked = await this.customers.lock(tx, projectId, wanted);
    const nowMs = this.clock.nowMs();
    return { wanted, locked, owner: locked.find((row) => purchaseOf(row, purchase, nowMs) !== null) ?? null };
  }

  /** Like `lock`, for a purchase that must still exist. */
  async lockOwner(tx: Transaction, projectId: string, purchase: RedeemablePurchase): Promise<CustomerRow> {
    const { owner } = await this.lock(tx, projectId, purchase);
    if (!owner) throw new ConcurrentChange('the purchase changed before its owner was locked');
    return owner;
  }

  private async lookup(
    projectId: string,
    name: (typeof NAMES)[number],
    id: string,
  ): Promise<RedeemablePurchase | null> {
    if (name === 'store_purchase_identifier') return this.ofStore(projectId, id);
    try {
      if (name === 'subscription_id') {
        return ofSubscription((await this.lookups.subscription(projectId, id)).owned);
      }
      return ofOneTime((await this.lookups.oneTime(projectId, id)).owned, this.clock.nowMs());
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'missing') return null;
      throw error;
    }
  }

  /** Returns the newest redeemable purchase with the identifier, else any other one. */
  private async ofStore(projectId: string, identifier: string): Promise<RedeemablePurchase | null> {
    const subscriptions = await this.lookups.subscriptionsNamed(projectId, identifier, NAMED);
    const oneTime = await this.lookups.oneTimeNamed(projectId, identifier, NAMED);
    const nowMs = this.clock.nowMs();
    const found = [
      ...subscriptions.map(({ owned }) => ofSubscription(owned)),
      ...oneTime.map(({ owned }) => ofOneTime(owned, nowMs)),
    ];
    return (
      found.find(({ store, hasEnded }) => isWebStore(store) && !hasEnded) ??
      found.find(({ store }) => isWebStore(store)) ??
      found[0] ??
      null
    );
  }
}
