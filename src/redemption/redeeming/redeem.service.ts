import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { ListedLinksService } from '../links/listed-links.service.js';
import type { RedeemablePurchase } from '../links/redeemable-purchase.js';
import { RedeemablePurchasesService } from '../links/redeemable-purchases.service.js';
import { statusOf } from '../links/redemption-link.policy.js';
import type { RedemptionLinkRow } from '../links/redemption-links.repository.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import type { RedemptionResult } from '../shared/redemption.metrics.js';
import { ExpiredLinksService } from './expired-links.service.js';
import type { RedeemRequest } from './redeem-request.js';
import { RedeemerService } from './redeemer.service.js';
import { decisionFor, type RedemptionDecision, type RedemptionOutcome } from './redemption.policy.js';
import { refusals } from './refusals.js';

const MAX_TRIES = 3;

/** Handles SDK requests that redeem a link opened in the app. */
@Injectable()
export class RedeemService {
  constructor(
    private readonly links: ListedLinksService,
    private readonly purchases: RedeemablePurchasesService,
    private readonly settings: RedemptionSettingsService,
    private readonly expired: ExpiredLinksService,
    private readonly redeemers: RedeemerService,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
  ) {}

  /** Safe to repeat: the redeemer gets the same answer. @throws ApiError 400 with code 7849, 7852 or 7853 */
  async redeem(request: RedeemRequest): Promise<RedemptionResult> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.attempt(request);
      if (result !== null) return result;
      // Another request used or ended the link while this one waited, so check its current state.
      if (attempt === MAX_TRIES)
        throw new ApiError('overloaded', 'The link is being changed by too many requests.', {
          retryAfterS: 1,
        });
    }
  }

  private async attempt(request: RedeemRequest): Promise<RedemptionResult | null> {
    const { projectId, appUserId, token } = request;
    const link = await this.links.ofToken(projectId, token);
    if (!link) throw refusals.invalid();
    const settings = await this.settings.forProject(projectId);
    const status = statusOf(link, this.links.nowMs());
    if (status === 'revoked' || !allows(settings, link.environment)) throw refusals.invalid();
    const purchase = await this.purchases.ofLink(link);
    if (!purchase) throw refusals.invalid();
    if (status === 'redeemed') {
      if (await this.links.isRedeemedBy(link, appUserId)) return 'repeated';
      throw refusals.otherCustomer();
    }
    if (status !== 'active') throw refusals.expired(await this.expired.replace(link, purchase, settings));
    return this.redeemLink(request, link, purchase);
  }

  /**
   * Marks the link as redeemed, moves the purchase and records the event in one transaction. Returns null, and does nothing,
   * if the link or the owner of the purchase changed while this request waited.
   * @throws ApiError 400, code 7852, if the project's transfer behavior keeps the purchase with its owner
   */
  private async redeemLink(
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
        const customerId = await this.redeemers.assignPurchase(tx, redemption, nowMs);
        await this.links.redeemed(tx, link, { appUserId, customerId }, nowMs);
        return decision;
      },
      // Two devices may send the same new id concurrently: the second one retries and finds it.
      { retryUniqueViolation: true },
    );
  }
}
