import { Inject, Injectable } from '@nestjs/common';
import {
  type ChainFacts,
  chargedPriceOf,
  deriveChain,
  type Environment,
  noChainFacts,
  noOneTimeFacts,
  type RenewalFact,
  type Store,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { ChainRow, OneTimeRow } from '../../customers/customers/customer-state.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { OneTimeRefundsService } from '../../purchases/recording/one-time-refunds.service.js';
import { SubscriptionRefundsService } from '../../purchases/recording/subscription-refunds.service.js';
import { nobody, ToldPurchasesService } from '../../purchases/recording/told-purchases.service.js';
import { type AddOnName, revokedAddOn } from './revoked-add-on.js';
import { type StoreConnection, StoreConnections } from './store-connections.js';
import { StoreRefreshes } from './store-refreshes.js';

type Order = 'cancel' | 'revoke' | 'refund';
type Connection<Needed extends Order> = StoreConnection & Required<Pick<StoreConnection, Needed>>;

const words: Record<Order, string> = { cancel: 'cancelled', revoke: 'revoked', refund: 'refunded' };

/** Nothing is known of the time after the latest period. */
const unsaid: RenewalFact = {
  autoRenew: true,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
};

/** This server is the Test Store: nobody has to be asked. */
function isOurs({ store }: Pick<ChainRow, 'store'>): boolean {
  return store === 'test_store';
}

function impossible(store: string, order: Order): ApiError {
  return new ApiError('impossible', `Purchases of ${store} cannot be ${words[order]} from here.`);
}

/**
 * What backends order of stores. What the store agreed to is recorded at once, together with who asked for it; the
 * store's own word on it is fetched afterwards, and changes nothing any more. All throw ApiError: 422 for a store
 * without the action, a purchase that it does not fit, and what the store refuses; 503 when the store cannot be
 * reached.
 */
@Injectable()
export class StoreOrders {
  constructor(
    private readonly connections: StoreConnections,
    private readonly refreshes: StoreRefreshes,
    private readonly told: ToldPurchasesService,
    private readonly oneTimeRefunds: OneTimeRefundsService,
    private readonly subscriptionRefunds: SubscriptionRefundsService,
    private readonly apps: AppsService,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Turns renewal off; access lasts until the end of the period. */
  async cancel(write: ProjectWrite, row: ChainRow): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'cancel');
    const facts = row.facts as ChainFacts;
    const nowMs = this.clock.nowMs();
    const { status, autoRenewalStatus } = deriveChain(facts, nowMs);
    if (status === 'expired') throw new ApiError('impossible', 'The subscription is over.');
    if (autoRenewalStatus === 'will_not_renew') return this.recordNothing(write, row, 'cancelled');
    await connection.cancel(app, row.chainKey);
    const value: RenewalFact = {
      ...(facts.renewal?.value ?? unsaid),
      autoRenew: false,
      pauseScheduled: false,
      cancelledAtMs: nowMs,
      cancelReason: 'DEVELOPER_INITIATED',
    };
    const renewal = { at: nowMs, src: 'api', value } as const;
    await this.record(write, row, { ...noChainFacts, renewal }, 'cancelled');
  }

  /** Gives the latest payment back and ends the subscription now. */
  async revoke(write: ProjectWrite, row: ChainRow): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'revoke');
    const facts = row.facts as ChainFacts;
    const { latestStoreTransactionId: id } = deriveChain(facts, this.clock.nowMs());
    this.assertNotRefunded(facts, id);
    await connection.revoke(app, row.chainKey);
    await this.recordRefund(write, row, id, true);
  }

  /** Gives back what was paid for one add-on of a subscription, and ends it now; the other items go on. */
  async revokeAddOn(write: ProjectWrite, row: ChainRow, addOn: AddOnName): Promise<void> {
    const { app, connection } = await this.connected(write, row, 'revoke');
    const known = row.facts as ChainFacts;
    const revoked = revokedAddOn(known, addOn, this.clock.nowMs());
    const state = deriveChain(known, this.clock.nowMs()).addOns.find(
      ({ storeProductId, planId }) => storeProductId === addOn.storeProductId && planId === addOn.planId,
    );
    if (!revoked || !state?.givesAccess) throw new ApiError('impossible', 'The add-on is over.');
    await connection.revoke(app, row.chainKey, addOn.storeProductId);
    await this.record(write, row, revoked.facts, 'refunded', {
      transaction_id: revoked.chargeKey,
      product_id: addOn.storeProductId,
    });
  }

  /** Gives the latest payment back, which must be one, and ends the subscription now. */
  async refundLatest(write: ProjectWrite, row: ChainRow): Promise<void> {
    if (isOurs(row)) return this.subscriptionRefunds.refund(write, row, { periodKey: null, kind: 'full' });
    const { latestStoreTransactionId: id, periodType } = deriveChain(
      row.facts as ChainFacts,
      this.clock.nowMs(),
    );
    if (periodType === 'trial') throw new ApiError('impossible', 'Nothing was paid for the running period.');
    await this.refund(write, row, id, true);
  }

  /** Gives one payment of a subscription back; `endsAccess` takes away what it paid for, too. */
  async refund(write: ProjectWrite, row: ChainRow, orderId: string, endsAccess: boolean): Promise<void> {
    if (isOurs(row)) {
      const periodKey = keyOf((row.facts as ChainFacts).periods, orderId);
      return this.subscriptionRefunds.refund(write, row, {
        periodKey,
        kind: endsAccess ? 'full' : 'partial',
      });
    }
    const { app, connection } = await this.connected(write, row, 'refund');
    this.assertNotRefunded(row.facts as ChainFacts, orderId);
    await connection.refund(app, orderId, endsAccess);
    await this.recordRefund(write, row, orderId, endsAccess);
  }

  /** Gives the money of a one-time purchase back; what it unlocked ends at once. */
  async refundOneTime(write: ProjectWrite, row: OneTimeRow): Promise<void> {
    if (isOurs(row)) return this.oneTimeRefunds.refund(write, row);
    const { app, connection } = await this.connected(write, row, 'refund');
    const { purchase } = row.facts as {
      purchase: { value: { storeTransactionId: string; quantity: number } };
    };
    const { storeTransactionId, quantity } = purchase.value;
    await connection.refund(app, storeTransactionId, true);
    const nowMs = this.clock.nowMs();
    const refund = { at: nowMs, src: 'api', value: { refundedAtMs: nowMs, quantity } } as const;
    const observation = { atMs: nowMs, facts: { ...noOneTimeFacts, refund } };
    const told = { kind: 'one_time', key: row.purchaseKey, firstPostStands: false, observation } as const;
    await this.save(write, row, { ...told, shouldConsume: false }, 'purchase', 'refunded');
  }

  private assertNotRefunded({ periods, refunds }: ChainFacts, orderId: string): void {
    const key = keyOf(periods, orderId);
    if ((refunds[key]?.value.revokedAtMs ?? null) !== null) {
      throw new ApiError('impossible', 'The payment was given back already.');
    }
  }

  private async recordRefund(
    write: ProjectWrite,
    row: ChainRow,
    orderId: string,
    endsAccess: boolean,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const known = row.facts as ChainFacts;
    const key = keyOf(known.periods, orderId);
    const amountMicros = endsAccess ? null : (chargedPriceOf(known, key)?.amountMicros ?? null);
    const kind = endsAccess ? 'full' : 'partial';
    const refunds = {
      [key]: { at: nowMs, src: 'api', value: { revokedAtMs: nowMs, kind, amountMicros } },
    } as const;
    const over = { ...(known.renewal?.value ?? unsaid), autoRenew: false, ended: true };
    // An order for add-ons alone takes those, and the subscription goes on.
    const isOver = endsAccess && (key in known.periods || known.addOns === undefined);
    const renewal = isOver ? ({ at: nowMs, src: 'api', value: over } as const) : null;
    await this.record(write, row, { ...noChainFacts, refunds, renewal }, 'refunded', {
      transaction_id: orderId,
    });
  }

  private record(
    write: ProjectWrite,
    row: ChainRow,
    facts: ChainFacts,
    action: string,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    const observation = { atMs: this.clock.nowMs(), facts };
    const purchase = { kind: 'chain', key: row.chainKey, firstPostStands: false, observation } as const;
    return this.save(write, row, purchase, 'subscription', action, data);
  }

  private async save(
    write: ProjectWrite,
    { id, appId, store, environment }: ChainRow | OneTimeRow,
    purchase: VerifiedPurchase,
    target: 'subscription' | 'purchase',
    action: string,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    const { projectId } = write;
    const place = { projectId, appId: appId as string, environment: environment as Environment };
    const told = { ...place, store: store as Store, purchases: [purchase] };
    await this.told.record(told, nobody, (tx) =>
      this.audit.record(tx, write, { action, target, targetId: id, data }),
    );
    await this.refreshes.request(place, [purchase.key]);
  }

  /** It is so already. */
  private async recordNothing(write: ProjectWrite, { id }: ChainRow, action: string): Promise<void> {
    await this.database.transaction((tx) =>
      this.audit.record(tx, write, { action, target: 'subscription', targetId: id }),
    );
  }

  private async connected<Needed extends Order>(
    { projectId }: ProjectWrite,
    { appId, store }: Pick<ChainRow, 'appId' | 'store'>,
    order: Needed,
  ): Promise<{ app: App; connection: Connection<Needed> }> {
    const app = appId === null ? null : await this.apps.findIn(this.database, projectId, appId);
    const connection = app && this.connections.of(app.type);
    if (app?.type !== store || !connection?.[order]) throw impossible(store, order);
    return { app, connection: connection as Connection<Needed> };
  }
}

/** Key of the period that an order paid for. */
function keyOf(periods: ChainFacts['periods'], orderId: string): string {
  const found = Object.entries(periods).find(([, { value }]) => value.storeTransactionId === orderId);
  return found?.[0] ?? orderId;
}
