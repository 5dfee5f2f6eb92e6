import { Injectable } from '@nestjs/common';
import { LinkIssuerService } from '../links/link-issuer.service.js';
import { ListedLinksService } from '../links/listed-links.service.js';
import { RedeemablePurchasesService } from '../links/redeemable-purchases.service.js';
import { deepLink, statusOf } from '../links/redemption-link.policy.js';
import type { RedemptionLinkRow } from '../links/redemption-links.repository.js';
import { ExpiredLinksService } from '../redeeming/expired-links.service.js';
import type { RedemptionSettings } from '../settings/redemption-settings.entity.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import type { RedemptionPage } from './redemption.page.js';

const UNKNOWN: RedemptionPage = { state: 'unknown' };

/** Contents of a link's page. Opening it has no effect, because mail scanners open links too. */
@Injectable()
export class RedemptionPagesService {
  constructor(
    private readonly links: ListedLinksService,
    private readonly purchases: RedeemablePurchasesService,
    private readonly expired: ExpiredLinksService,
    private readonly issuer: LinkIssuerService,
    private readonly settings: RedemptionSettingsService,
  ) {}

  async page(token: string): Promise<RedemptionPage> {
    const found = await this.find(token);
    if (!found) return UNKNOWN;
    const { link, settings } = found;
    const { appStoreUrl, playStoreUrl, supportEmail } = settings;
    const appName = await this.settings.appNameOf(settings);
    const facts = { appName, appStoreUrl, playStoreUrl, supportEmail };
    const status = statusOf(link, this.links.nowMs());
    if (status === 'redeemed') return { ...facts, state: 'redeemed' };
    if (status !== 'active') {
      const canResend = link.email !== null && this.settings.mailsOnExpired(settings);
      return { ...facts, state: 'expired', canResend, token };
    }
    const scheme = await this.settings.schemeOf(settings);
    if (scheme === null || !(await this.purchases.ofLink(link))) return UNKNOWN;
    return { ...facts, state: 'active', deepLink: deepLink(scheme, token), url: this.issuer.urlOf(token) };
  }

  /**
   * Mails a replacement for an expired link, at most once an hour. The result is always the same, so it reveals
   * nothing.
   */
  async resend(token: string): Promise<RedemptionPage> {
    const found = await this.find(token);
    const status = found && statusOf(found.link, this.links.nowMs());
    if (found && (status === 'expired' || status === 'replaced')) {
      const purchase = await this.purchases.ofLink(found.link);
      if (purchase) await this.expired.replace(found.link, purchase, found.settings);
    }
    return { state: 'resent' };
  }

  private async find(
    token: string,
  ): Promise<{ link: RedemptionLinkRow; settings: RedemptionSettings } | null> {
    const link = await this.links.ofAnyProject(token);
    if (!link || link.revokedAt !== null) return null;
    const settings = await this.settings.forProject(link.projectId);
    return allows(settings, link.environment) ? { link, settings } : null;
  }
}
