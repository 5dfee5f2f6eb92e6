import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { isEmail, normalizeEmail } from '../../platform/http/bodies/email.js';
import { isIdentified } from '../../purchases/ownership/ownership.policy.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { type LinkCause, RedemptionMetrics } from '../shared/redemption.metrics.js';
import type { RedemptionSettings } from '../settings/redemption-settings.entity.js';
import { RedemptionSettingsService } from '../settings/redemption-settings.service.js';
import type { RedeemablePurchase } from './redeemable-purchase.js';
import { redemptionLinkMail } from './redemption-link.mail.js';
import { newLinkToken, pageUrl } from './redemption-link.policy.js';
import { type RedemptionLinkRow, RedemptionLinksRepository } from './redemption-links.repository.js';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Limit per purchase, across all callers. */
export const LINKS_A_DAY = 10;

export interface NewLink {
  projectId: string;
  settings: RedemptionSettings;
  purchase: RedeemablePurchase;
  /** The owner of the purchase, locked, so that links of one purchase are issued one at a time. */
  owner: CustomerRow;
  email: string | null;
  minutes: number;
  /** Also sends the link to `email`. */
  sendsMail: boolean;
  cause: LinkCause;
}

export interface IssuedLink {
  row: RedemptionLinkRow;
  /** Returned once; only its hash is stored. */
  token: string;
}

/**
 * The owner's `$email` if links may be mailed there; null if it is absent, not an address, or possibly a stranger's. A
 * link moves a purchase, and anyone with the public key can set attributes of a customer whose id they know. The ids of
 * identified customers are not secret, so even an attribute that came with a receipt proves nothing about them.
 */
export function emailOf(owner: CustomerRow): string | null {
  const attribute = owner.attributes.find(({ name }) => name === '$email');
  const isProven = attribute?.source === 'api' || (attribute?.source === 'receipt' && !isIdentified(owner));
  const email = isProven && attribute.value !== null ? normalizeEmail(attribute.value) : null;
  return email !== null && isEmail(email) ? email : null;
}

/** Issues links in the caller's transaction. */
@Injectable()
export class LinkIssuerService {
  constructor(
    private readonly repository: RedemptionLinksRepository,
    private readonly settings: RedemptionSettingsService,
    private readonly mails: MailsService,
    private readonly metrics: RedemptionMetrics,
    private readonly config: Config,
  ) {}

  /** Issues a link and replaces the purchase's earlier ones. Null if the purchase has reached today's limit. */
  async issue(tx: Transaction, link: NewLink, nowMs: number): Promise<IssuedLink | null> {
    const { projectId, purchase, owner, email, minutes, cause } = link;
    const { purchaseKind, purchaseId, appId, store, environment } = purchase;
    const since = new Date(nowMs - DAY_MS);
    const { made } = await this.repository.usage(tx, projectId, purchaseId, since);
    if (made >= LINKS_A_DAY) return null;
    const now = new Date(nowMs);
    for (const id of await this.repository.replace(tx, projectId, purchaseId, now)) {
      await this.mails.forget(tx, id);
    }
    const token = newLinkToken();
    const row = {
      projectId,
      id: newId('redemptionLink', nowMs),
      customerId: owner.id,
      purchaseKind,
      purchaseId,
      appId,
      store,
      environment,
      email,
      mailedAt: link.sendsMail && email !== null ? now : null,
      createdAt: now,
      expiresAt: new Date(nowMs + minutes * MINUTE_MS),
      replacedAt: null,
      revokedAt: null,
      redeemedAt: null,
      redeemedBy: null,
      redeemedByCustomerId: null,
    };
    await this.repository.insert(tx, row, credentialHash(token));
    if (link.sendsMail && email !== null) await this.mail(tx, link, row.id, email, token, row.expiresAt);
    tx.afterCommit(() => this.metrics.linkMade(cause));
    return { row: { ...row, customerAppUserId: owner.originalAppUserId }, token };
  }

  /** Whether a link for the purchase was created after a time. */
  async hasIssued(tx: Transaction, projectId: string, purchaseId: string, sinceMs: number): Promise<boolean> {
    return (await this.repository.usage(tx, projectId, purchaseId, new Date(sinceMs))).made > 0;
  }

  /** Whether a link for the purchase was mailed within the last hour. */
  async wasMailed(tx: Transaction, projectId: string, purchaseId: string, nowMs: number): Promise<boolean> {
    const sinceMs = nowMs - HOUR_MS;
    const { mailedAt } = await this.repository.usage(tx, projectId, purchaseId, new Date(sinceMs));
    return mailedAt !== null && mailedAt.getTime() > sinceMs;
  }

  /** The address of the purchase's newest link that has one. */
  newestEmail(tx: Transaction, projectId: string, purchaseId: string): Promise<string | null> {
    return this.repository.newestEmail(tx, projectId, purchaseId);
  }

  urlOf(token: string): string {
    return pageUrl(this.config.baseUrl, token);
  }

  private async mail(
    tx: Transaction,
    { settings, minutes }: NewLink,
    linkId: string,
    to: string,
    token: string,
    expiresAt: Date,
  ): Promise<void> {
    const { supportEmail } = settings;
    const appName = await this.settings.appNameOf(settings, tx);
    const content = redemptionLinkMail({ appName, url: this.urlOf(token), minutes, supportEmail });
    const expiresAtMs = expiresAt.getTime();
    await mailAfterCommit(this.mails, tx, {
      tenantId: linkId,
      kind: 'redemption_link',
      to,
      content,
      expiresAtMs,
    });
  }
}
