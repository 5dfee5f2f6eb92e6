import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deriveOneTime, deriveState, type Environment } from '../../../libs/engine/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { outsideReportsOf } from '../../catalog/apps/external-purchase-reports.js';
import { subscriptionOf, oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { ExternalPurchaseReportsService } from '../external-reports/external-purchase-reports.service.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import { isOutside, type OutsidePurchase } from '../recording/outside-purchase.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';
import { ExternalPurchaseMetrics } from './external-purchase.metrics.js';
import { ExternalPurchaseBindingsRepository } from './external-purchase-bindings.repository.js';
import { ExternalPurchaseTokensRepository, type ShownToken } from './external-purchase-tokens.repository.js';
import {
  type BindableToken,
  type Binding,
  decideBindings,
  isBindable,
  isRefusedGuess,
  isTooOldFor,
  type KnownBinding,
  namedReplacement,
} from './token-binding.policy.js';

export interface NamedPurchase {
  kind: 'subscription' | 'purchase';
  id: string;
}

type BoundPurchase = Pick<OutsidePurchase, 'id' | 'key' | 'store' | 'environment' | 'facts' | 'boughtAtMs'>;

type BindingPurchase = BoundPurchase & {
  binding: Binding;
  /** The stored binding, if there is one. */
  known: KnownBinding | undefined;
};

function conflict(message: string): ApiError {
  return new ApiError('conflict', message);
}

/** Binds purchases outside an app store to the tokens that they must be reported with. */
@Injectable()
export class ExternalPurchaseBindingsService implements OnModuleInit {
  constructor(
    private readonly repository: ExternalPurchaseBindingsRepository,
    private readonly tokens: ExternalPurchaseTokensRepository,
    private readonly apps: AppsService,
    private readonly customers: CustomersService,
    private readonly lookups: PurchaseLookupsService,
    private readonly recorder: PurchaseRecorder,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly writes: ProjectWritesService,
    private readonly metrics: ExternalPurchaseMetrics,
  ) {}

  onModuleInit(): void {
    this.recorder.followOutside((tx, projectId, purchases, nowMs) =>
      this.bindRecorded(tx, projectId, purchases, nowMs),
    );
  }

  /**
   * Binds a purchase to a token of its customer. A purchase that is bound already may get another token of the app if a
   * charge waits for one, or if the store refused the former token.
   * @throws ApiError 404; 409 if it is bound already, belongs to another customer, or does not fit the token
   */
  async bind(write: ProjectWrite, tokenId: string, named: NamedPurchase): Promise<ShownToken> {
    const { projectId } = write;
    const owner = await this.ownerOf(projectId, named);
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, owner.appUserId);
      const purchase = purchaseOf(customer, owner.purchaseId, tx.nowMs());
      if (!purchase) throw conflict('The purchase has just moved to another customer.');
      const token = await this.repository.lockToken(tx, projectId, tokenId);
      if (!token) throw ApiError.missing('external purchase token', tokenId);
      const { key: purchaseKey, store } = purchase;
      const known = (await this.repository.ofPurchases(tx, projectId, [purchaseKey])).get(purchaseKey);
      const waiting = known && (await this.reports.waitingForToken(tx, projectId, purchaseKey));
      assertFits(token, purchase, customer, waiting?.items[0]?.atMs);
      if (known && (known.tokenId === tokenId || !(waiting || known.isTokenRefused)))
        throw conflict('The purchase is already bound to a token.');
      if (known && known.appId !== token.appId)
        throw conflict('The purchase is bound to a token of another app.');
      const binding = { purchaseKey, store, tokenId, boundBy: 'action' } as const;
      await this.bindAll(tx, projectId, [{ ...purchase, binding, known }], tx.nowMs());
      const data = { [`${named.kind}_id`]: owner.purchaseId };
      await tx.audit({ action: 'bound', target: 'external_purchase_token', targetId: tokenId, data });
      return (await this.tokens.get(projectId, tokenId, tx)) as ShownToken;
    });
  }

  private async bindRecorded(
    tx: Transaction,
    projectId: string,
    recorded: readonly OutsidePurchase[],
    nowMs: number,
  ): Promise<void> {
    const keys = new Set(
      recorded.flatMap(({ key, soldWith }) => (soldWith === null ? key : [key, soldWith])),
    );
    const known = await this.repository.ofPurchases(tx, projectId, [...keys]);
    const valid = new Map([...known].filter(([, binding]) => !isRefusedGuess(binding)));
    const unbound = recorded.filter(({ key }) => !valid.has(key));
    const added = unbound.length === 0 ? [] : await this.decide(tx, projectId, unbound, valid);
    const bindingOf = new Map(added.map((binding) => [binding.purchaseKey, binding]));
    const bound = recorded.flatMap((purchase) => {
      const former = known.get(purchase.key);
      const binding = bindingOf.get(purchase.key) ?? former;
      return binding ? { ...purchase, binding, known: former } : [];
    });
    // Google accepts a token once: for the subscription, not for what was sold with it.
    bound.sort((a, b) => Number(a.soldWith !== null) - Number(b.soldWith !== null));
    await this.bindAll(tx, projectId, bound, nowMs);
    await this.useNamedTokens(tx, projectId, bound, nowMs);
  }

  /** Purchases may name another token by now, for a charge that waits for one. */
  private async useNamedTokens(
    tx: Transaction,
    projectId: string,
    bound: readonly (OutsidePurchase & BindingPurchase)[],
    nowMs: number,
  ): Promise<void> {
    const renamed = bound.filter(
      ({ tokenIds: [named], binding, known }) => known === binding && named && named !== known.tokenId,
    );
    if (renamed.length === 0) return;
    const tokens = await this.repository.candidates(tx, projectId, renamed);
    for (const purchase of renamed) {
      const { key: purchaseKey, store, known } = purchase;
      const token = known && namedReplacement(purchase, known, tokens);
      if (!token) continue;
      if (!known.isTokenRefused && !(await this.reports.waitingForToken(tx, projectId, purchaseKey)))
        continue;
      const binding = { purchaseKey, store, tokenId: token.id, boundBy: 'id' } as const;
      await this.bindAll(tx, projectId, [{ ...purchase, binding }], nowMs);
    }
  }

  private async decide(
    tx: Transaction,
    projectId: string,
    purchases: readonly OutsidePurchase[],
    known: ReadonlyMap<string, Binding>,
  ): Promise<Binding[]> {
    const tokens = await this.repository.candidates(tx, projectId, purchases);
    const newestApps = await this.newestApps(tx, projectId, tokens);
    const { bindings, ignored } = decideBindings({ purchases, known, tokens, newestApps });
    tx.afterCommit(() => {
      for (const reason of ignored) this.metrics.conflict(reason);
    });
    return bindings;
  }

  /** Stores new bindings and adds the missing reports. Apps that were deleted report nothing. */
  private async bindAll(
    tx: Transaction,
    projectId: string,
    purchases: readonly BindingPurchase[],
    nowMs: number,
  ): Promise<void> {
    if (purchases.length === 0) return;
    const added = purchases.flatMap(({ binding, known }) => (known ? [] : binding));
    if (added.length > 0) await this.repository.bind(tx, projectId, added, new Date(nowMs));
    const ids = purchases.map(({ binding }) => binding.tokenId);
    const tokens = await this.repository.reportTokens(tx, projectId, ids);
    for (const { binding, known, id, key, facts, environment } of purchases) {
      const isReplaced = known !== undefined && known.tokenId !== binding.tokenId;
      if (isReplaced)
        await this.repository.replaceToken(tx, projectId, binding, known.tokenId, new Date(nowMs));
      const token = tokens.get(binding.tokenId);
      const app = token && (await this.apps.find(projectId, token.appId, tx));
      if (!app) continue;
      const { id: appId, storeSettings: settings } = app;
      const purchase = { id, key, facts, environment: environment as Environment, token, appId, settings };
      if (isReplaced) {
        const refusedTokenId = known.isTokenRefused ? known.tokenId : null;
        await this.reports.useNewToken(tx, projectId, purchase, refusedTokenId, nowMs);
      }
      await this.reports.plan(tx, projectId, purchase, nowMs);
    }
  }

  private async newestApps(
    tx: Transaction,
    projectId: string,
    tokens: readonly BindableToken[],
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const appId of new Set(tokens.map((token) => token.appId))) {
      const app = await this.apps.find(projectId, appId, tx);
      if (app && outsideReportsOf(app.storeSettings).bind === 'newest') found.add(appId);
    }
    return found;
  }

  private async ownerOf(
    projectId: string,
    { kind, id }: NamedPurchase,
  ): Promise<{ appUserId: string; purchaseId: string }> {
    if (kind === 'subscription') {
      const { owned, view } = await this.lookups.subscription(projectId, id);
      return { appUserId: view.customerAppUserId, purchaseId: owned.subscription.id };
    }
    const { owned, view } = await this.lookups.oneTime(projectId, id);
    return { appUserId: view.customerAppUserId, purchaseId: owned.purchase.id };
  }
}

/** A purchase of a locked customer; null if it is not theirs. */
function purchaseOf(customer: CustomerRow, id: string, nowMs: number): BoundPurchase | null {
  const subscription = customer.subscriptions.find((row) => row.id === id);
  if (subscription) {
    const { store, environment, storeKey: key, facts } = subscriptionOf(subscription);
    return { id, key, store, environment, facts, boughtAtMs: deriveState(facts, nowMs).startedAtMs };
  }
  const oneTime = customer.purchases.find((row) => row.id === id);
  if (!oneTime) return null;
  const { store, environment, purchaseKey: key, facts } = oneTimeOf(oneTime);
  return { id, key, store, environment, facts, boughtAtMs: deriveOneTime(facts).purchasedAtMs };
}

/** `chargedAtMs`: the charge that needs the token. Default: the first one. */
function assertFits(
  token: BindableToken,
  purchase: BoundPurchase,
  customer: CustomerRow,
  chargedAtMs = purchase.boughtAtMs,
): void {
  if (!isOutside(purchase)) throw conflict('Only purchases of Stripe and Paddle can be bound to a token.');
  if (token.customerId !== customer.id)
    throw conflict('The purchase belongs to another customer than the token.');
  if (token.store === 'google' && token.state === 'used')
    throw conflict('Google accepts a token once, and a purchase uses this one.');
  if (!isBindable(token)) throw conflict(`The token cannot be used: its state is ${token.state}.`);
  if (isTooOldFor(token, chargedAtMs)) {
    throw conflict('The purchase is older than the token by more than a day.');
  }
}
