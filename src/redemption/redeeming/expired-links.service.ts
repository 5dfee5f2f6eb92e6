import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { emailOf, LinkIssuerService } from '../links/link-issuer.service.js';
import type { RedeemablePurchase } from '../links/redeemable-purchase.js';
import { RedeemablePurchasesService } from '../links/redeemable-purchases.service.js';
import type { RedemptionLinkRow } from '../links/redemption-links.repository.js';
import type { RedemptionSettings } from '../settings/redemption-settings.entity.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';

/** Replaces links that were opened too late. */
@Injectable()
export class ExpiredLinksService {
  constructor(
    private readonly purchases: RedeemablePurchasesService,
    private readonly issuer: LinkIssuerService,
    private readonly settings: RedemptionSettingsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Mails a new link unless one for the purchase was mailed within the last hour. It goes to the address of the newest
   * link, as an older link may have been sent to a wrong address. Returns the address that received a mail; null if
   * there is no address or nothing may be mailed.
   */
  async replace(
    link: RedemptionLinkRow,
    purchase: RedeemablePurchase,
    settings: RedemptionSettings,
  ): Promise<string | null> {
    if (!this.settings.mailsOnExpired(settings) || purchase.hasEnded) return null;
    const { projectId } = link;
    return this.database.transaction(async (tx) => {
      const { owner } = await this.purchases.lock(tx, projectId, purchase);
      const newest = await this.issuer.newestEmail(tx, projectId, purchase.purchaseId);
      const email = newest ?? (owner && emailOf(owner));
      if (!owner || email === null) return null;
      const nowMs = this.clock.nowMs();
      if (await this.issuer.wasMailed(tx, projectId, purchase.purchaseId, nowMs)) return email;
      const minutes = settings.linkMinutes;
      const wanted = { projectId, settings, purchase, owner, email, minutes, sendsMail: true };
      const made = await this.issuer.issue(tx, { ...wanted, cause: 'expired' }, nowMs);
      return made && email;
    });
  }
}
