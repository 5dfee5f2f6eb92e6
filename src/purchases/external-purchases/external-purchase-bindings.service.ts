import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deriveOneTime, deriveState } from '../../../libs/engine/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { subscriptionOf, oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import { isOutside, type OutsidePurchase } from '../recording/outside-purchase.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';
import { ExternalPurchaseMetrics } from './external-purchase.metrics.js';
import { ExternalPurchaseBindingsRepository } from './external-purchase-bindings.repository.js';
import { ExternalPurchaseTokensRepository, type ShownToken } from './external-purchase-tokens.repository.js';
import { type BindableToken, decideBindings, isBindable, isTooOldFor } from './token-binding.policy.js';

export interface NamedPurchase {
  kind: 'subscription' | 'purchase';
  id: string;
}

type BoundPurchase = Pick<OutsidePurchase, 'key' | 'store' | 'boughtAtMs'>;

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
    private readonly writes: ProjectWritesService,
    private readonly metrics: ExternalPurchaseMetrics,
  ) {}

  onModuleInit(): void {
    this.recorder.followOutside((tx, projectId, purchases, nowMs) =>
      this.bindRecorded(tx, projectId, purchases, nowMs),
    );
  }

  /**
   * Binds a purchase to a token of its customer.
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
      assertFits(token, purchase, customer);
      const { key: purchaseKey, store } = purchase;
      const binding = { purchaseKey, store, tokenId, boundBy: 'action' } as const;
      if (!(await this.repository.bind(tx, projectId, [binding], new Date(tx.nowMs())))) {
        throw conflict('The purchase is already bound to a token.');
      }
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
    const purchases = recorded.filter(({ key }) => !known.has(key));
    if (purchases.length === 0) return;
    const tokens = await this.repository.candidates(tx, projectId, purchases);
    const newestApps = await this.newestApps(tx, projectId, tokens);
    const { bindings, ignored } = decideBindings({ purchases, known, tokens, newestApps });
    if (bindings.length > 0) await this.repository.bind(tx, projectId, bindings, new Date(nowMs));
    tx.afterCommit(() => {
      for (const reason of ignored) this.metrics.conflict(reason);
    });
  }

  private async newestApps(
    tx: Transaction,
    projectId: string,
    tokens: readonly BindableToken[],
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const appId of new Set(tokens.map((token) => token.appId))) {
      const app = await this.apps.find(projectId, appId, tx);
      if (app?.storeSettings.external_purchase_reports?.bind === 'newest') found.add(appId);
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
    const { store, storeKey: key, facts } = subscriptionOf(subscription);
    return { key, store, boughtAtMs: deriveState(facts, nowMs).startedAtMs };
  }
  const oneTime = customer.purchases.find((row) => row.id === id);
  if (!oneTime) return null;
  const { store, purchaseKey: key, facts } = oneTimeOf(oneTime);
  return { key, store, boughtAtMs: deriveOneTime(facts).purchasedAtMs };
}

function assertFits(token: BindableToken, purchase: BoundPurchase, customer: CustomerRow): void {
  if (!isOutside(purchase)) throw conflict('Only purchases of Stripe and Paddle can be bound to a token.');
  if (token.customerId !== customer.id)
    throw conflict('The purchase belongs to another customer than the token.');
  if (!isBindable(token)) throw conflict(`The token cannot be used: its state is ${token.state}.`);
  if (isTooOldFor(token, purchase.boughtAtMs)) {
    throw conflict('The purchase is older than the token by more than a day.');
  }
}
