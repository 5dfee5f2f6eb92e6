import { Inject, Injectable } from '@nestjs/common';
import {
  deriveState,
  effectiveFacts,
  effectivePurchase,
  type OneTimeFacts,
  type SubscriptionFacts,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type AddOnName, revokedAddOn } from './revoked-add-on.js';
import { assertKeyKnown } from './known-key.js';
import { type StoreConnection, StoreConnectionsService } from '../shared/store-connections.service.js';
import { periodKeyOf, StoreOrderRecorder } from './store-order.recorder.js';
import { TestStoreRefundsService } from './test-store-refunds.service.js';

type Order = 'cancel' | 'revoke' | 'refund';
type Connection<Needed extends Order> = StoreConnection & Required<Pick<StoreConnection, Needed>>;

const pastTense: Record<Order, string> = { cancel: 'cancelled', revoke: 'revoked', refund: 'refunded' };

/** This server is the Test Store, so there is no store to call. */
function isOurs({ store }: Pick<SubscriptionRow, 'store'>): boolean {
  return store === 'test_store';
}

function impossible(store: string, order: Order): ApiError {
  return new ApiError(
    'impossible',
    `Purchases of ${store} cannot be ${pastTense[order]} through this server.`,
  );
}

/**
 * Actions that backends request from stores. What the store agreed to is recorded at once, with the actor who requested
 * it; the store's own report is fetched afterwards and changes nothing. All methods throw ApiError: 422 if the store
 * lacks the action, the purchase does not allow it, or the store refuses; 503 if the store cannot be reached.
 */
@Injectable()
export class StoreOrdersService {
  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly recorder: StoreOrderRecorder,
    private readonly testStore: TestStoreRefundsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Turns renewal off. Access lasts until the end of the period. */
  async cancel(write: ProjectWrite, row: SubscriptionRow): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'cancel');
    const facts = row.facts as SubscriptionFacts;
    const nowMs = this.clock.nowMs();
    const { status, autoRenewalStatus } = deriveState(facts, nowMs);
    if (status === 'expired') throw new ApiError('impossible', 'The subscription has expired.');
    if (autoRenewalStatus === 'will_not_renew') return this.recorder.unchanged(write, row, 'cancelled');
    await connection.cancel(app, row.storeKey);
    await this.recorder.cancelled(write, row, nowMs);
  }

  /** Refunds the latest payment and ends the subscription now. */
  async revoke(write: ProjectWrite, row: SubscriptionRow): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'revoke');
    const facts = row.facts as SubscriptionFacts;
    const { latestStoreTransactionId: id } = deriveState(facts, this.clock.nowMs());
    this.assertNotRefunded(facts, id);
    await connection.revoke(app, row.storeKey);
    await this.recorder.refunded(write, row, id, true);
  }

  /** Refunds one add-on of a subscription and ends it now; the other items continue. */
  async revokeAddOn(write: ProjectWrite, row: SubscriptionRow, addOn: AddOnName): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'revoke');
    const known = row.facts as SubscriptionFacts;
    const revoked = revokedAddOn(known, addOn, this.clock.nowMs());
    const state = deriveState(known, this.clock.nowMs()).addOns.find(
      ({ storeProductId, planId }) => storeProductId === addOn.storeProductId && planId === addOn.planId,
    );
    if (!revoked || !state?.givesAccess) throw new ApiError('impossible', 'The add-on has ended.');
    await connection.revoke(app, row.storeKey, addOn.storeProductId);
    await this.recorder.record(write, row, revoked.facts, 'refunded', {
      transaction_id: revoked.chargeKey,
      product_id: addOn.storeProductId,
    });
  }

  /** Refunds the latest payment, which must exist, and ends the subscription now. */
  async refundLatest(write: ProjectWrite, row: SubscriptionRow): Promise<void> {
    if (isOurs(row)) return this.testStore.refundSubscription(write, row, { periodKey: null, kind: 'full' });
    const { latestStoreTransactionId: id, periodType } = deriveState(
      row.facts as SubscriptionFacts,
      this.clock.nowMs(),
    );
    if (periodType === 'trial') throw new ApiError('impossible', 'Nothing was paid for the current period.');
    await this.refund(write, row, id, true);
  }

  /** Refunds one payment of a subscription. `endsAccess` also ends what it paid for. */
  async refund(
    write: ProjectWrite,
    row: SubscriptionRow,
    orderId: string,
    endsAccess: boolean,
  ): Promise<void> {
    if (isOurs(row)) {
      const periodKey = periodKeyOf(effectiveFacts(row.facts as SubscriptionFacts).periods, orderId);
      return this.testStore.refundSubscription(write, row, {
        periodKey,
        kind: endsAccess ? 'full' : 'partial',
      });
    }
    const { app, connection } = await this.connected(write, row, 'refund');
    this.assertNotRefunded(row.facts as SubscriptionFacts, orderId);
    await connection.refund(app, orderId, endsAccess);
    await this.recorder.refunded(write, row, orderId, endsAccess);
  }

  /** Refunds a one-time purchase and ends what it unlocked at once. */
  async refundOneTime(write: ProjectWrite, row: OneTimeRow): Promise<void> {
    if (isOurs(row)) return this.testStore.refundOneTime(write, row);
    const { app, connection } = await this.connected(write, row, 'refund');
    const { purchase } = effectivePurchase(row.facts as OneTimeFacts);
    if (!purchase) throw impossible(row.store, 'refund');
    const { storeTransactionId, quantity } = purchase.value;
    await connection.refund(app, storeTransactionId, true);
    await this.recorder.refundedOneTime(write, row, quantity);
  }

  private assertNotRefunded(facts: SubscriptionFacts, orderId: string): void {
    const { periods, refunds } = effectiveFacts(facts);
    const key = periodKeyOf(periods, orderId);
    if ((refunds[key]?.value.revokedAtMs ?? null) !== null) {
      throw new ApiError('impossible', 'The payment is already refunded.');
    }
  }

  private async connected<Needed extends Order>(
    { projectId }: ProjectWrite,
    row: SubscriptionRow | OneTimeRow,
    order: Needed,
  ): Promise<{ app: App; connection: Connection<Needed> }> {
    const { appId, store } = row;
    const found = await this.connections.forApp(projectId, appId);
    if (found?.app.type !== store || !found.connection[order]) throw impossible(store, order);
    // Payments are refunded by order id.
    if (order !== 'refund' && 'storeKey' in row) assertKeyKnown(row);
    return { app: found.app, connection: found.connection as Connection<Needed> };
  }
}
