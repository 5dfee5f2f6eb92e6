import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { ListedLinksService } from '../links/listed-links.service.js';
import { RedeemablePurchasesService } from '../links/redeemable-purchases.service.js';
import { statusOf } from '../links/redemption-link.policy.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import type { RedemptionResult } from '../shared/redemption.metrics.js';
import { ExpiredLinksService } from './expired-links.service.js';
import type { RedeemRequest } from './redeem-request.js';
import { refusals } from './refusals.js';
import { RedemptionsService } from './redemptions.service.js';

const MAX_TRIES = 3;

/** Handles SDK requests that redeem a link opened in the app. */
@Injectable()
export class RedeemService {
  constructor(
    private readonly links: ListedLinksService,
    private readonly purchases: RedeemablePurchasesService,
    private readonly settings: RedemptionSettingsService,
    private readonly expired: ExpiredLinksService,
    private readonly redemptions: RedemptionsService,
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
    const settings = await this.settings.of(projectId);
    const status = statusOf(link, this.links.nowMs());
    if (status === 'revoked' || !allows(settings, link.environment)) throw refusals.invalid();
    const purchase = await this.purchases.ofLink(link);
    if (!purchase) throw refusals.invalid();
    if (status === 'redeemed') {
      if (await this.links.isRedeemedBy(link, appUserId)) return 'repeated';
      throw refusals.otherCustomer();
    }
    if (status !== 'active') throw refusals.expired(await this.expired.replace(link, purchase, settings));
    return this.redemptions.redeem(request, link, purchase);
  }
}
