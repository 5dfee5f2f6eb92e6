import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { isEmail, normalizeEmail } from '../../platform/http/bodies/email.js';
import { isIdentified } from '../../purchases/ownership/ownership.policy.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import type { RedemptionSettings } from '../settings/redemption-settings.entity.js';
import { allows } from '../settings/redemption-settings.policy.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import {
  emailOf,
  type IssuedLink,
  LinkIssuerService,
  LINKS_A_DAY,
  type NewLink,
} from './link-issuer.service.js';
import type { RedeemablePurchase } from './redeemable-purchase.js';
import { RedeemablePurchasesService } from './redeemable-purchases.service.js';
import type { CreateRedemptionLinkDto } from './redemption-link.dto.js';
import { deepLink, statusOf } from './redemption-link.policy.js';
import type { RedemptionLinkRow } from './redemption-links.repository.js';

const linksOfProject: RateLimit = { name: 'redemption_links', max: 100, windowMs: 60_000 };

export interface CreatedLink {
  row: RedemptionLinkRow;
  redeemUrl: string;
  pageUrl: string;
}

/** Links created by backends and members. */
@Injectable()
export class RedemptionLinksService {
  constructor(
    private readonly purchases: RedeemablePurchasesService,
    private readonly issuer: LinkIssuerService,
    private readonly settings: RedemptionSettingsService,
    private readonly limiter: RateLimiterService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * @throws ApiError 400 and 404 naming the field; 422 for a purchase that cannot be redeemed, for a mail that cannot
   * be sent and for the eleventh link in a day; 429
   */
  async create(write: ProjectWrite, body: CreateRedemptionLinkDto): Promise<CreatedLink> {
    const given = typeof body.email === 'string' ? checkedEmail(body.email) : null;
    const purchase = await this.purchases.named(write.projectId, body);
    const { settings, scheme } = await this.usable(write.projectId, purchase);
    const sendsMail = body.send_email ?? false;
    if (sendsMail && !this.settings.canSendMail) throw this.settings.noMail('send_email');
    await this.count(write.projectId);
    const minutes = body.expires_in_minutes ?? settings.linkMinutes;
    const { row, token } = await this.writes.run(write, async (tx) => {
      const made = await this.issue(tx, { settings, purchase, given, minutes, sendsMail, cause: 'request' });
      await tx.audit({
        action: 'created',
        target: 'redemption_link',
        targetId: made.row.id,
        data: auditOf(made),
      });
      return made;
    });
    return { row, redeemUrl: deepLink(scheme, token), pageUrl: this.issuer.urlOf(token) };
  }

  /** Mails a new link instead, because a link's token is not stored. @throws ApiError like `create` */
  async resend(write: ProjectWrite, link: RedemptionLinkRow, nowMs: number): Promise<RedemptionLinkRow> {
    const { projectId } = write;
    const status = statusOf(link, nowMs);
    if (status === 'redeemed' || status === 'revoked') {
      throw new ApiError('impossible', `The link is ${status}; make a new one.`);
    }
    const purchase = await this.purchases.ofLink(link);
    if (!purchase || purchase.hasEnded) {
      throw new ApiError('impossible', 'The purchase has ended, was refunded or was deleted.');
    }
    const { settings } = await this.usable(projectId, purchase);
    if (!this.settings.canSendMail) throw this.settings.noMail('id');
    await this.count(projectId);
    const minutes = settings.linkMinutes;
    const { row } = await this.writes.run(write, async (tx) => {
      const wanted = {
        settings,
        purchase,
        given: link.email,
        minutes,
        sendsMail: true,
        cause: 'resend',
      } as const;
      const made = await this.issue(tx, wanted);
      const data = { ...auditOf(made), replaces: link.id };
      await tx.audit({ action: 'resent', target: 'redemption_link', targetId: made.row.id, data });
      return made;
    });
    return row;
  }

  private async usable(
    projectId: string,
    { environment }: RedeemablePurchase,
  ): Promise<{ settings: RedemptionSettings; scheme: string }> {
    const settings = await this.settings.forProject(projectId);
    if (!allows(settings, environment)) {
      throw new ApiError('impossible', `Redemption is not enabled for the ${environment} environment.`);
    }
    const scheme = await this.settings.schemeOf(settings);
    if (scheme === null) {
      throw new ApiError('impossible', 'The project has no mobile app; add one, or set url_scheme.');
    }
    return { settings, scheme };
  }

  private async count(projectId: string): Promise<void> {
    const { allowed, resetsAt } = await this.limiter.hit(linksOfProject, projectId, 'made');
    if (allowed) return;
    throw this.limiter.refusal(`More than ${linksOfProject.max} redemption links a minute.`, resetsAt);
  }

  private async issue(
    tx: WriteTransaction,
    { given, ...link }: Omit<NewLink, 'projectId' | 'owner' | 'email'> & { given: string | null },
  ): Promise<IssuedLink> {
    const { projectId } = tx.write;
    const owner = await this.purchases.lockOwner(tx, projectId, link.purchase);
    if (given === null && link.cause === 'request' && isIdentified(owner)) {
      throw ApiError.parameter(
        'email',
        'email is required, because the owner of the purchase is identified.',
      );
    }
    const email = given ?? emailOf(owner);
    if (link.sendsMail && email === null) {
      const message =
        'Neither the request, nor your backend, nor the receipt gave an email for this customer.';
      throw new ApiError('impossible', message, { param: 'email' });
    }
    const made = await this.issuer.issue(tx, { ...link, projectId, owner, email }, tx.nowMs());
    if (made) return made;
    throw new ApiError('impossible', `A purchase has at most ${LINKS_A_DAY} links a day.`);
  }
}

function checkedEmail(text: string): string {
  const email = normalizeEmail(text);
  if (!isEmail(email)) throw ApiError.parameter('email', 'email must be an email address.');
  return email;
}

function auditOf({ row }: IssuedLink): Record<string, unknown> {
  const { purchaseKind, purchaseId, mailedAt } = row;
  const name = purchaseKind === 'subscription' ? 'subscription_id' : 'purchase_id';
  return { [name]: purchaseId, mailed: mailedAt !== null };
}
