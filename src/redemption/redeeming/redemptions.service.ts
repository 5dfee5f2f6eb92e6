import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ListedLinksService } from '../links/listed-links.service.js';
import type { RedeemablePurchase } from '../links/redeemable-purchase.js';
import { RedeemablePurchasesService } from '../links/redeemable-purchases.service.js';
import { statusOf } from '../links/redemption-link.policy.js';
import type { RedemptionLinkRow } from '../links/redemption-links.repository.js';
import type { RedeemRequest } from './redeem-request.js';
import { RedeemerService } from './redeemer.service.js';
import { decisionFor, type RedemptionDecision, type RedemptionOutcome } from './redemption.policy.js';
import { refusals } from './refusals.js';

/** Redeems atomically: marks the link as redeemed, moves the purchase and records the event, or does nothing. */
@Injectable()
export class RedemptionsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly links: ListedLinksService,
    private readonly purchases: RedeemablePurchasesService,
    private readonly redeemers: RedeemerService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Null if the link or the owner of the purchase changed while this request waited; then nothing was done.
   * @throws ApiError 400, code 7852, if the project's transfer behavior keeps the purchase with its owner
   */
  async redeem(
    request: RedeemRequest,
    link: RedemptionLinkRow,
    purchase: RedeemablePurchase,
  ): Promise<RedemptionOutcome | null> {
    const { projectId, appUserId } = request;
    const catalog = await this.catalogs.get(projectId);
    const behavior = catalog.transferBehavior(purchase.environment);
    return this.database.transaction(
      async (tx) => {
        // Lock customers before the link, like merges and erasures.
        const held = await this.purchases.lock(tx, projectId, purchase, [appUserId]);
        const nowMs = this.links.nowMs();
        const current = await this.links.lock(tx, link);
        const { owner } = held;
        if (!current || !owner || statusOf(current, nowMs) !== 'active') return null;
        const redeemer = await this.redeemers.lockOrCreate(tx, request, held, nowMs);
        const decision: RedemptionDecision | 'redeemer_owns' =
          redeemer === owner ? 'redeemer_owns' : decisionFor(owner, redeemer, purchase, behavior, nowMs);
        // Rolls back the creation of the redeemer, too.
        if (decision === 'refuse') throw refusals.otherCustomer();
        const redemption = { request, link, purchase, catalog, owner, redeemer, outcome: decision };
        const customerId = await this.redeemers.take(tx, redemption, nowMs);
        await this.links.redeemed(tx, link, { appUserId, customerId }, nowMs);
        return decision;
      },
      // Two devices may send the same new id concurrently: the second one retries and finds it.
      { retryUniqueViolation: true },
    );
  }
}
