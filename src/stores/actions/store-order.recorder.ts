import { Inject, Injectable } from '@nestjs/common';
import {
  type SubscriptionFacts,
  chargedPriceOf,
  type Environment,
  noSubscriptionFacts,
  noOneTimeFacts,
  type RenewalFact,
  type Store,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import type { AuditEntry } from '../../platform/audit/audit-log.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';

/** Renewal facts if nothing is known about the time after the latest period. */
const noRenewalKnown: RenewalFact = {
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

/**
 * Records what a store agreed to, with the actor who requested it. The store's own report follows and changes nothing.
 */
@Injectable()
export class StoreOrderRecorder {
  constructor(
    private readonly reported: ReportedPurchasesService,
    private readonly refreshes: StoreRefreshesService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  cancelled(write: ProjectWrite, row: SubscriptionRow, nowMs: number): Promise<void> {
    const value: RenewalFact = {
      ...((row.facts as SubscriptionFacts).renewal?.value ?? noRenewalKnown),
      autoRenew: false,
      pauseScheduled: false,
      cancelledAtMs: nowMs,
      cancelReason: 'DEVELOPER_INITIATED',
    };
    const renewal = { at: nowMs, src: 'api', value } as const;
    return this.record(write, row, { ...noSubscriptionFacts, renewal }, 'cancelled');
  }

  refundedOneTime(write: ProjectWrite, row: OneTimeRow, quantity: number): Promise<void> {
    const nowMs = this.clock.nowMs();
    const refund = { at: nowMs, src: 'api', value: { refundedAtMs: nowMs, quantity } } as const;
    const observation = { atMs: nowMs, facts: { ...noOneTimeFacts, refund } };
    const report = { kind: 'one_time', key: row.purchaseKey, firstPostStands: false, observation } as const;
    const entry = { action: 'refunded', target: 'purchase', targetId: row.id } as const;
    return this.save(write, row, { ...report, shouldConsume: false }, entry);
  }

  /** Records the refund of a subscription's payment. `endsAccess` also ends what it paid for. */
  async refunded(
    write: ProjectWrite,
    row: SubscriptionRow,
    orderId: string,
    endsAccess: boolean,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const known = row.facts as SubscriptionFacts;
    const key = periodKeyOf(known.periods, orderId);
    const amountMicros = endsAccess ? null : (chargedPriceOf(known, key)?.amountMicros ?? null);
    const kind = endsAccess ? 'full' : 'partial';
    const refunds = {
      [key]: { at: nowMs, src: 'api', value: { revokedAtMs: nowMs, kind, amountMicros } },
    } as const;
    const over = { ...(known.renewal?.value ?? noRenewalKnown), autoRenew: false, ended: true };
    // An order for add-ons only ends just those; the subscription continues.
    const isOver = endsAccess && (key in known.periods || known.addOns === undefined);
    const renewal = isOver ? ({ at: nowMs, src: 'api', value: over } as const) : null;
    await this.record(write, row, { ...noSubscriptionFacts, refunds, renewal }, 'refunded', {
      transaction_id: orderId,
    });
  }

  record(
    write: ProjectWrite,
    row: SubscriptionRow,
    facts: SubscriptionFacts,
    action: AuditAction<'subscription'>,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    const observation = { atMs: this.clock.nowMs(), facts };
    const purchase = {
      kind: 'subscription',
      key: row.storeKey,
      firstPostStands: false,
      observation,
    } as const;
    return this.save(write, row, purchase, { action, target: 'subscription', targetId: row.id, data });
  }

  private async save(
    write: ProjectWrite,
    { appId, store, environment }: SubscriptionRow | OneTimeRow,
    purchase: VerifiedPurchase,
    entry: AuditEntry,
  ): Promise<void> {
    const { projectId } = write;
    const place = { projectId, appId: appId as string, environment: environment as Environment };
    const reported = { ...place, store: store as Store, purchases: [purchase] };
    await this.reported.record(reported, { kind: 'none' }, (tx) =>
      this.writes.within(tx, write).audit(entry),
    );
    await this.refreshes.request(place, [purchase.key]);
  }

  /** The subscription is already in the requested state. */
  async unchanged(
    write: ProjectWrite,
    { id }: SubscriptionRow,
    action: AuditAction<'subscription'>,
  ): Promise<void> {
    await this.writes.run(write, (tx) => tx.audit({ action, target: 'subscription', targetId: id }));
  }
}

export function periodKeyOf(periods: SubscriptionFacts['periods'], orderId: string): string {
  const found = Object.entries(periods).find(([, { value }]) => value.storeTransactionId === orderId);
  return found?.[0] ?? orderId;
}
