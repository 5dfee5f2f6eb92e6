import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { microsToMajor } from '../../../libs/money/index.js';
import { consumedShare } from '../../../libs/stores/index.js';
import {
  firstMatch,
  type MatchedPolicy,
  platformOf,
  type RefundFacts,
} from '../../../libs/targeting/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { ownerAmong } from '../../customers/customers/customer-info/customer-purchases.js';
import { liveAttributes } from '../../customers/customers/customer-info/customer-attributes.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { PurchaseCurrenciesService } from '../../purchases/currencies/purchase-currencies.service.js';
import type { CustomerSpending, PaymentMoney } from '../../purchases/transactions/transactions.repository.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import {
  firstPurchaseAt,
  type PaymentPlace,
  type RefundedPurchase,
  refundedPurchase,
} from './refunded-purchase.js';
import type { RefundRequest } from './refund-request.entity.js';
import { type InsertedRequest, RefundRequestsRepository } from './refund-requests.repository.js';
import { RefundPoliciesService } from '../refund-policies/refund-policies.service.js';

const DAY_MS = 86_400_000;

/** The owner of a purchase, and facts about both that decisions and answers use. */
export interface RefundSubject {
  catalog: Catalog;
  customer: CustomerRow;
  purchase: RefundedPurchase;
  money: PaymentMoney;
  spending: CustomerSpending;
  /** In thousandths of a percent; undefined if unknown. */
  consumedShare: number | undefined;
}

/** The basis of a decision about a request. All null if no customer owns the purchase. */
export interface DecisionFacts {
  subject: RefundSubject | null;
  facts: RefundFacts | null;
  matched: MatchedPolicy | null;
}

export type RequestedPayment = Pick<
  RefundRequest,
  'projectId' | 'store' | 'environment' | 'purchaseKey' | 'transactionId' | 'orderId'
>;

export function placeOf(request: RequestedPayment): PaymentPlace | null {
  const { store, environment, purchaseKey, transactionId, orderId } = request;
  return purchaseKey === null
    ? null
    : { store, environment, purchaseKey, paymentId: transactionId ?? orderId };
}

function daysBetween(fromMs: number | null, toMs: number): number | undefined {
  return fromMs === null ? undefined : Math.max(0, Math.floor((toMs - fromMs) / DAY_MS));
}

function usdOf(micros: number | null): number | undefined {
  return micros === null ? undefined : microsToMajor(micros);
}

/** Leaves out unknown values. */
function known(facts: RefundFacts): RefundFacts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as RefundFacts;
}

/** Gathers what is known about the purchase of a refund request and its owner. */
@Injectable()
export class RefundFactsService {
  constructor(
    private readonly repository: RefundRequestsRepository,
    private readonly catalogs: CatalogService,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly currencies: PurchaseCurrenciesService,
    private readonly policies: RefundPoliciesService,
    private readonly lookups: PurchaseLookupsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Names the purchase of Google's order, which may be recorded after the request arrived. */
  async withPurchase<Request extends InsertedRequest>(request: Request): Promise<Request> {
    const { projectId, appId, orderId } = request;
    if (orderId === null) return request;
    const purchase = await this.lookups.purchaseOfOrder(projectId, appId, orderId);
    return purchase ? { ...request, ...purchase } : request;
  }

  /** Null if no customer owns the purchase. */
  async subjectOf(request: RequestedPayment): Promise<RefundSubject | null> {
    const place = placeOf(request);
    if (place === null) return null;
    const { projectId, environment } = request;
    const nowMs = this.clock.nowMs();
    const catalog = await this.catalogs.get(projectId);
    const purchaseKeys = { store: place.store, environment, keys: [place.purchaseKey] };
    const owners = await this.customers.select(this.database, projectId, { appUserIds: [], purchaseKeys });
    const customer = ownerAmong(owners, place, { key: place.purchaseKey });
    const purchase = customer && refundedPurchase(customer, catalog, place, nowMs);
    if (!purchase) return null;
    const { currencyKey } = purchase;
    const storeId = place.paymentId ?? place.purchaseKey;
    const payment = { projectId, customerId: customer.id, environment, storeId };
    const [spending, money, granted] = await Promise.all([
      this.transactions.spendingOf(projectId, customer.id, environment),
      this.transactions.moneyOf(payment),
      this.currencies.useOf(projectId, customer.id, currencyKey, currencyKey.periodKey, nowMs),
    ]);
    const share = consumedShare({ period: purchase.period, currencies: granted }, nowMs);
    return { catalog, customer, purchase, money, spending, consumedShare: share };
  }

  async forDecision(request: InsertedRequest): Promise<DecisionFacts> {
    const subject = await this.subjectOf(request);
    if (!subject) return { subject, facts: null, matched: null };
    const policies = await this.policies.compiledPolicies(request.projectId);
    const facts = await this.factsOf(request, subject, policies.attributes);
    const store = request.store === 'play_store' ? 'play_store' : 'app_store';
    return { subject, facts, matched: firstMatch(policies, store, facts) };
  }

  /** UTC days on which a customer was seen during a period, or since the purchase. */
  daysSeen(
    projectId: string,
    customerId: string,
    { period, purchasedAtMs }: Pick<RefundedPurchase, 'period' | 'purchasedAtMs'>,
  ): Promise<string[]> {
    const fromMs = period?.startMs ?? purchasedAtMs;
    return this.customers.daysSeen(projectId, customerId, fromMs, period?.endMs ?? this.clock.nowMs());
  }

  /** The values that policies compare, at the time of the request. `attributes`: names that policies use. */
  private async factsOf(
    request: InsertedRequest,
    { catalog, customer, purchase, money, spending, consumedShare: share }: RefundSubject,
    attributes: readonly string[],
  ): Promise<RefundFacts> {
    const { projectId, appId, reason, requestedAt } = request;
    const atMs = requestedAt.getTime();
    const values = new Map(liveAttributes(customer.attributes).map(({ name, value }) => [name, value]));
    const isKnown = spending.unknown === 0;
    return known({
      original_app_user_id: customer.originalAppUserId,
      app_config: appId,
      country: purchase.country ?? customer.lastSeenCountry ?? undefined,
      platform: platformOf(customer.lastSeenPlatform) ?? undefined,
      app_version: customer.lastSeenAppVersion ?? undefined,
      custom_attribute: Object.fromEntries(attributes.map((name) => [name, values.get(name) ?? null])),
      refund_reason: reason ?? 'NONE',
      product: purchase.product?.id,
      purchase_kind: purchase.kind ?? undefined,
      days_since_purchase: daysBetween(purchase.purchasedAtMs, atMs),
      days_since_first_purchase: daysBetween(firstPurchaseAt(customer, catalog, atMs), atMs),
      days_since_last_seen: daysBetween(customer.lastSeenAtMs, atMs),
      paid_periods: purchase.paidPeriods ?? undefined,
      refunds_before: spending.refunds,
      requests_before: await this.repository.countBefore(projectId, customer.id, requestedAt),
      lifetime_usd: isKnown ? microsToMajor(spending.purchasedMicros - spending.refundedMicros) : undefined,
      refunded_usd: isKnown ? microsToMajor(spending.refundedMicros) : undefined,
      price_usd: usdOf(money.chargedUsdMicros),
      consumed_percent: share === undefined ? undefined : share / 1_000,
    });
  }
}
