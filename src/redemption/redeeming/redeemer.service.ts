import { Injectable } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import { PurchaseMovesService } from '../../purchases/recording/purchase-moves.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { CustomerJoinsService } from '../../sdk/identity/customer-joins.service.js';
import { redemptionEventBody } from '../../webhooks/events/redemption-event-body.js';
import type { RedeemablePurchase } from '../links/redeemable-purchase.js';
import type { LockedPurchase } from '../links/redeemable-purchases.service.js';
import type { RedemptionLinkRow } from '../links/redemption-links.repository.js';
import type { RedeemRequest } from './redeem-request.js';
import { productFacts, type RedemptionOutcome, survivorOf } from './redemption.policy.js';

/** A redemption whose outcome is decided; both customers are locked. */
export interface Redemption {
  request: RedeemRequest;
  link: RedemptionLinkRow;
  purchase: RedeemablePurchase;
  catalog: Catalog;
  owner: CustomerRow;
  redeemer: CustomerRow;
  outcome: RedemptionOutcome;
}

type AddEvent = (change: ChangeBuilder, redeemer: CustomerRow, former: CustomerRow | null) => void;

/** Assigns a purchase to its redeemer with the same transfers and merges as any other change of owner. */
@Injectable()
export class RedeemerService {
  constructor(
    private readonly customers: CustomersService,
    private readonly joins: CustomerJoinsService,
    private readonly moves: PurchaseMovesService,
    private readonly recorder: PurchaseRecorder,
  ) {}

  async lockOrCreate(
    tx: Transaction,
    { projectId, appUserId, device }: RedeemRequest,
    { wanted, locked }: LockedPurchase,
    nowMs: number,
  ): Promise<CustomerRow> {
    const newcomer = { appUserId, device };
    return (await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs, locked)).customer;
  }

  /** Returns the id of the customer who owns the purchase afterwards. */
  async assignPurchase(tx: Transaction, redemption: Redemption, nowMs: number): Promise<string> {
    const { catalog, request, owner, redeemer, outcome } = redemption;
    // Build the event before the merge, while both customers are separate.
    const addEvent = this.eventOf(redemption, nowMs);
    const customer = outcome === 'alias' ? await this.merge(tx, redemption) : redeemer;
    const seenCustomerIds = request.device === null ? [] : [customer.id];
    await this.recorder.record(tx, { catalog, nowMs, seenCustomerIds }, async (change) => {
      if (outcome === 'transfer') await this.move(tx, change, redemption, nowMs);
      addEvent(change, customer, outcome === 'transfer' ? owner : null);
    });
    return customer.id;
  }

  private async merge(
    tx: Transaction,
    { request, catalog, owner, redeemer }: Redemption,
  ): Promise<CustomerRow> {
    const { projectId, appId, appUserId, device, requestId } = request;
    const target = survivorOf(owner, redeemer);
    const source = target === owner ? redeemer : owner;
    const joined = source === redeemer ? appUserId : owner.originalAppUserId;
    const ids = { currentAppUserId: joined, newAppUserId: target.originalAppUserId };
    const pair = { projectId, appId, device, requestId, catalog, ...ids };
    await this.joins.merge(tx, pair, source, target, joined, 'redemption');
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [appUserId] });
    if (!customer) throw new ConcurrentChange('a customer vanished before it was locked');
    return customer;
  }

  private async move(
    tx: Transaction,
    change: ChangeBuilder,
    { request, purchase, owner: from, redeemer: to }: Redemption,
    nowMs: number,
  ): Promise<void> {
    const { appId, store, environment, purchaseId } = purchase;
    const handover = {
      from,
      to,
      subscriptions: from.subscriptions.filter(({ id }) => id === purchaseId),
      oneTime: from.purchases.filter(({ id }) => id === purchaseId),
      cause: { rule: 'redemption', isRestore: null, requestId: request.requestId } as const,
      place: { appId, store: store as Store, environment: environment },
    };
    await this.moves.move(tx, request.projectId, change, handover, nowMs);
  }

  private eventOf(
    { request, link, purchase, catalog, owner, redeemer, outcome }: Redemption,
    nowMs: number,
  ): AddEvent {
    const { appUserId, platform } = request;
    const { appId, store, environment, purchaseKind, purchaseId } = purchase;
    const idsOf = ({ aliases }: CustomerRow): string[] => aliases.map((alias) => alias.appUserId);
    const redemption = {
      appUserId,
      appId,
      store,
      environment,
      redeemedFrom: outcome === 'redeemer_owns' ? null : idsOf(owner),
      redeemedBy: [appUserId, ...idsOf(redeemer).filter((id) => id !== appUserId)],
      outcome,
      platform,
      ...productFacts(catalog, owner, purchase, nowMs),
      linkId: link.id,
    };
    const isSubscription = purchaseKind === 'subscription';
    return (change, customer, former) => {
      const place = {
        type: 'PURCHASE_REDEEMED',
        dedupeKey: `pr:${link.id}`,
        occurredAtMs: timeOf(customer, nowMs),
        subscriptionId: isSubscription ? purchaseId : null,
        purchaseId: isSubscription ? null : purchaseId,
        appId,
        environment,
        delivery: 'send' as const,
      };
      change.addEvent(customer, former, place, (head) => redemptionEventBody(head, redemption));
    };
  }
}
