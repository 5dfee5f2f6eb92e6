import { randomUUID } from 'node:crypto';
import {
  type SubscriptionFacts,
  deriveState,
  isPaidByOther,
  noOneTimeFacts,
  noSubscriptionFacts,
  type OneTimeFacts,
  type Ownership,
  type PeriodKind,
  type RefundFact,
  type Store,
} from '../../libs/engine/index.js';
import { toUsdMicros } from '../../libs/money/index.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { SubscriptionWrite, LedgerWrite } from '../../src/purchases/recording/change-set.js';
import { ChangesRepository } from '../../src/purchases/recording/changes.repository.js';
import type { TestServer } from './test-server.js';

type Environment = 'production' | 'sandbox';

export interface SoldPeriod {
  startMs: number;
  /** Null: never ends. */
  endMs: number | null;
  kind?: PeriodKind;
  /** Null: unknown price. */
  amountMicros: number | null;
  currency?: string;
  /** If it is not the subscription's. */
  storeProductId?: string;
  /** The price of a whole period, if less was charged. */
  wholeMicros?: number;
  /** Null: the store does not say how much. */
  refund?: { kind: RefundFact['kind']; atMs: number; amountMicros: number | null };
  /** The store says only later how much the refund was. */
  laterRefund?: { atMs: number; amountMicros: number };
  /** The refund was taken back then. */
  reversedAtMs?: number;
}

export interface SoldSubscription {
  id?: string;
  projectId: string;
  appId: string;
  storeProductId: string;
  planId?: string | null;
  store?: Store;
  environment?: Environment;
  ownership?: Ownership;
  periods: SoldPeriod[];
  graceUntilMs?: number;
  replacedAtMs?: number;
  /** Key of the subscription that replaced it; default: one that is not there. */
  replacedBy?: string;
  customerId?: string;
  commissionBps?: number;
  taxBps?: number;
  isCancelled?: boolean;
  /** Paused since the end of its last period. */
  isPaused?: boolean;
  offering?: string;
  /** Country of the purchase. */
  country?: string | null;
  /** Seats of each period, and of the next one. */
  seats?: { quantity: number; next: number };
  /** Number of its periods that are known from an import only. */
  importedPeriods?: number;
}

export interface SoldOnce {
  id?: string;
  projectId: string;
  appId: string;
  storeProductId: string;
  environment?: Environment;
  atMs: number;
  amountMicros: number | null;
  currency?: string;
  refundAtMs?: number;
  customerId?: string;
  store?: Store;
  commissionBps?: number;
}

const fact = <T>(value: T) => ({ at: 1, src: 'signed' as const, value });

export function factsOf({
  storeProductId,
  planId = null,
  ownership = 'purchased',
  periods,
  graceUntilMs,
  replacedAtMs,
  replacedBy = 'other',
  isCancelled = false,
  isPaused = false,
  offering,
  country = null,
  seats,
  importedPeriods = 0,
}: SoldSubscription): SubscriptionFacts {
  const facts: SubscriptionFacts = { ...noSubscriptionFacts, periods: {}, refunds: {} };
  if (offering !== undefined) facts.hints = fact({ presentedOfferingId: offering });
  if (importedPeriods > 0) facts.imported = { periods: {}, refunds: {}, renewal: null, hints: null };
  periods.forEach((period, index) => {
    const layer = index < importedPeriods && facts.imported ? facts.imported : facts;
    const { startMs, endMs, kind = 'normal', amountMicros, currency = 'USD', refund, reversedAtMs } = period;
    const price = { amountMicros, currency, source: 'store' as const };
    const quantity = seats?.quantity ?? 1;
    const sold = { storeProductId: period.storeProductId ?? storeProductId, planId, quantity };
    const tiers = [{ priceMicros: (amountMicros ?? 0) / quantity, quantity }];
    const { wholeMicros, laterRefund } = period;
    layer.periods[`period-${index}`] = fact({
      ...sold,
      ...(wholeMicros !== undefined && {
        terms: [{ ...sold, sinceMs: startMs, valueMicros: wholeMicros }],
      }),
      ...(seats && { seats: { tiers, revoked: 0, invitations: 'apple' as const } }),
      offerCode: null,
      kind,
      isRenewal: index > 0,
      startMs,
      endMs,
      price,
      ownership,
      storeTransactionId: `transaction-${index}`,
      country,
    });
    if (refund) {
      const { kind, atMs, amountMicros } = { ...refund, ...laterRefund };
      layer.refunds[`period-${index}`] = fact({
        revokedAtMs: reversedAtMs === undefined ? atMs : null,
        kind,
        amountMicros,
      });
    }
  });
  if (isCancelled || isPaused || seats) {
    const autoRenew = isPaused || !isCancelled;
    facts.renewal = fact({
      periodKey: `period-${periods.length - 1}`,
      ...(seats && { nextSeats: { quantity: seats.next, amountMicros: null, currency: null } }),
      autoRenew,
      cancelledAtMs: autoRenew ? null : (periods.at(-1)?.startMs ?? null),
      nextProductId: null,
      inRetry: false,
      billingIssueAtMs: null,
      graceUntilMs: null,
      pauseScheduled: isPaused,
      paused: isPaused,
      autoResumeAtMs: null,
    });
  }
  if (graceUntilMs !== undefined) {
    facts.renewal = fact({
      periodKey: `period-${periods.length - 1}`,
      autoRenew: true,
      cancelledAtMs: null,
      nextProductId: null,
      inRetry: true,
      billingIssueAtMs: null,
      graceUntilMs,
      pauseScheduled: false,
      paused: false,
      autoResumeAtMs: null,
    });
  }
  if (replacedAtMs !== undefined) facts.replaced = fact({ byStoreKey: replacedBy, atMs: replacedAtMs });
  return facts;
}

type Money = Pick<LedgerWrite, 'kind' | 'periodKey' | 'amountMicros' | 'currency' | 'purchasedAtMs'> &
  Partial<LedgerWrite>;

function ledgerRow(money: Money): LedgerWrite {
  const { amountMicros, currency, purchasedAtMs } = money;
  const day = new Date(purchasedAtMs).toISOString().slice(0, 10);
  const usd =
    amountMicros === null || currency === null ? null : toUsdMicros({ amountMicros, currency, day });
  return {
    id: `txn_${randomUUID()}`,
    customerId: 'cus_nobody',
    subscriptionId: null,
    purchaseId: null,
    appId: null,
    store: 'app_store',
    environment: 'production',
    isFeeKnown: false,
    rebooks: false,
    kindSeq: 0,
    ownerKey: 'owner',
    storeIds: [],
    storeProductId: null,
    usdMicros: usd?.usdMicros ?? null,
    fxRate: usd?.rate ?? null,
    fxDay: usd?.rateDay ?? null,
    fxSource: usd?.rateSource ?? null,
    commissionBps: 0,
    taxBps: 0,
    quantity: 1,
    priceSource: 'store',
    expiresAtMs: null,
    periodType: 'normal',
    ownership: 'purchased',
    country: null,
    ...money,
  };
}

export function subscriptionLedger(subscription: SoldSubscription, id: string): LedgerWrite[] {
  const {
    appId,
    storeProductId,
    store = 'app_store',
    environment = 'production',
    ownership = 'purchased',
    customerId = 'cus_nobody',
    commissionBps = 0,
    taxBps = 0,
    country = null,
  } = subscription;
  const owner = {
    taxBps,
    country,
    subscriptionId: id,
    appId,
    storeProductId,
    store,
    environment,
    ownership,
    ownerKey: id,
    customerId,
    commissionBps,
  };
  return subscription.periods.flatMap((period, index) => {
    const { startMs, endMs, kind = 'normal', currency = 'USD', refund, reversedAtMs } = period;
    const isFree = kind === 'trial' || isPaidByOther(ownership);
    const sale = {
      ...owner,
      storeProductId: period.storeProductId ?? storeProductId,
      periodKey: `period-${index}`,
      periodType: kind,
      currency,
      purchasedAtMs: startMs,
      expiresAtMs: endMs,
    };
    const rows = [
      ledgerRow({
        ...sale,
        kind: kind === 'trial' ? 'trial_start' : index === 0 ? 'purchase' : 'renewal',
        amountMicros: isFree ? 0 : period.amountMicros,
      }),
    ];
    // A refund has the time of the refund, and the rate of what it takes back.
    const back = refund && {
      ...sale,
      kind: 'refund' as const,
      amountMicros: refund.amountMicros === null ? null : -refund.amountMicros,
      purchasedAtMs: refund.atMs,
    };
    const later = back &&
      period.laterRefund && {
        ...back,
        kindSeq: 1,
        amountMicros: -period.laterRefund.amountMicros,
        purchasedAtMs: period.laterRefund.atMs,
      };
    const returned = later ?? back;
    const again = returned &&
      reversedAtMs !== undefined && {
        ...returned,
        kind: 'refund_reversal' as const,
        kindSeq: 0,
        amountMicros: returned.amountMicros === null ? null : -returned.amountMicros,
        purchasedAtMs: reversedAtMs,
      };
    return [...rows, ...[back, later, again].flatMap((row) => (row ? [ledgerRow(row)] : []))];
  });
}

async function save(
  { app, clock, dataSource }: TestServer,
  projectId: string,
  changes: { subscriptions?: SubscriptionWrite[]; oneTime?: object[]; ledger: LedgerWrite[] },
): Promise<void> {
  const nothing = { customers: [], subscriptions: [], oneTime: [], events: [], snapshots: [] };
  // Figures belong to customers. This one was never seen.
  await dataSource.query(
    `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, created_at)
     SELECT p.id, 'cus_nobody', 'nobody', '2010-01-01', '2010-01-01' FROM projects p
     WHERE p.id = $1 AND $2 = ANY ($3::text[]) ON CONFLICT DO NOTHING`,
    [projectId, 'cus_nobody', changes.ledger.map(({ customerId }) => customerId)],
  );
  const revalued = [...(changes.subscriptions ?? []), ...((changes.oneTime ?? []) as { id: string }[])].map(
    ({ id }) => id,
  );
  const empty = { ...nothing, attributes: [], forgottenAttributes: [], revalued };
  await app
    .get(DatabaseService)
    .transaction((tx) =>
      app
        .get(ChangesRepository, { strict: false })
        .save(tx, projectId, { ...empty, ...changes } as never, clock.nowMs()),
    );
}

/**
 * Records a subscription with all its periods and refunds, as purchases do. The same id again adds what is new and
 * changes its state. Gives the id.
 */
export async function sellSubscription(server: TestServer, subscription: SoldSubscription): Promise<string> {
  const id = subscription.id ?? `sub_${randomUUID()}`;
  const facts = factsOf(subscription);
  const periodKeys = Object.keys({ ...facts.imported?.periods, ...facts.periods });
  const state = deriveState(facts, server.clock.nowMs());
  const { projectId, appId, storeProductId, store = 'app_store', environment = 'production' } = subscription;
  const row: SubscriptionWrite = {
    id,
    appId,
    store,
    environment,
    storeKey: id,
    customerId: subscription.customerId ?? 'cus_nobody',
    originalCustomerId: subscription.customerId ?? 'cus_nobody',
    originalCustomerAppUserId: subscription.customerId ?? 'nobody',
    storeProductId,
    grantedEntitlementId: null,
    storeIdentifiers: state.storeIdentifiers,
    facts,
    factsAtMs: 1,
    emitted: { opened: periodKeys },
    startedAtMs: state.startedAtMs,
    accessEndsAtMs: state.accessEndsAtMs,
    status: state.status,
    nextDueAtMs: state.nextDueAtMs,
    keyState: null,
    heldFromMs: null,
    unknownLengths: null,
  };
  await save(server, projectId, { subscriptions: [row], ledger: subscriptionLedger(subscription, id) });
  return id;
}

/** Records a one-time purchase and its refund, as purchases do. The same id again adds what is new. */
export async function sellOnce(server: TestServer, sold: SoldOnce): Promise<string> {
  const id = sold.id ?? `purch_${randomUUID()}`;
  const {
    projectId,
    appId,
    storeProductId,
    environment = 'production',
    atMs,
    amountMicros,
    currency = 'USD',
    customerId = 'cus_nobody',
    store = 'app_store',
    commissionBps = 0,
  } = sold;
  const owner = {
    purchaseId: id,
    appId,
    storeProductId,
    environment,
    ownerKey: id,
    periodKey: id,
    currency,
    customerId,
    store,
    commissionBps,
  };
  const ledger = [ledgerRow({ ...owner, kind: 'one_time', amountMicros, purchasedAtMs: atMs })];
  if (sold.refundAtMs !== undefined && amountMicros !== null) {
    const back = { ...owner, kind: 'refund', amountMicros: -amountMicros, purchasedAtMs: sold.refundAtMs };
    ledger.push(ledgerRow(back));
  }
  const facts: OneTimeFacts = {
    ...noOneTimeFacts,
    purchase: fact({
      storeProductId,
      purchasedAtMs: atMs,
      expiresAtMs: null,
      price: { amountMicros, currency, source: 'store' as const },
      quantity: 1,
      ownership: 'purchased' as const,
      storeTransactionId: id,
      country: null,
    }),
    refund: sold.refundAtMs === undefined ? null : fact({ refundedAtMs: sold.refundAtMs, quantity: 1 }),
  };
  const row = {
    id,
    appId,
    store,
    environment,
    purchaseKey: id,
    customerId,
    originalCustomerId: customerId,
    originalCustomerAppUserId: customerId,
    storeProductId,
    storeIdentifiers: [],
    facts,
    factsAtMs: 1,
    emitted: { purchase: true },
    purchasedAtMs: atMs,
    status: sold.refundAtMs === undefined ? 'owned' : 'refunded',
  };
  await save(server, projectId, { oneTime: [row], ledger });
  return id;
}
