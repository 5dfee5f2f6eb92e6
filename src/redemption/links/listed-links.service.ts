import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { credentialHash } from '../../platform/auth/credentials.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { isLinkToken, statusOf } from './redemption-link.policy.js';
import { type RedemptionLinkRow, RedemptionLinksRepository } from './redemption-links.repository.js';

/** Finds, lists and revokes existing links, and marks them as redeemed. */
@Injectable()
export class ListedLinksService {
  constructor(
    private readonly repository: RedemptionLinksRepository,
    private readonly customers: CustomersService,
    private readonly mails: MailsService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<RedemptionLinkRow> {
    const row = await this.repository.find(projectId, id);
    if (!row) throw ApiError.missing('redemption link', id);
    return row;
  }

  /** Up to `limit + 1` links, newest first. @throws ApiError 404; 400 for a cursor from another list */
  async page(projectId: string, appUserId: string, page: PageRequest): Promise<RedemptionLinkRow[]> {
    const customerId = await this.customers.idOf(projectId, appUserId);
    if (customerId === null) throw ApiError.missing('customer', appUserId);
    const after = await startOf(page.after, ['time'], async (id) => {
      const row = await this.repository.find(projectId, id);
      const isListed = row && [row.customerId, row.redeemedByCustomerId].includes(customerId);
      return isListed ? [row.createdAt, row.id] : null;
    });
    return this.repository.pageOfCustomer(projectId, customerId, page, after);
  }

  /** Idempotent. @throws ApiError 404; 422 for a link that has been redeemed */
  revoke(write: ProjectWrite, id: string): Promise<RedemptionLinkRow> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const row = await this.repository.lock(tx, projectId, id);
      if (!row) throw ApiError.missing('redemption link', id);
      const status = statusOf(row, tx.nowMs());
      if (status === 'redeemed') throw new ApiError('impossible', 'The link has been redeemed.');
      const revokedAt = row.revokedAt ?? new Date(tx.nowMs());
      await this.repository.update(tx, projectId, id, { revokedAt });
      await this.mails.forget(tx, id);
      await tx.audit({ action: 'revoked', target: 'redemption_link', targetId: id });
      return { ...row, revokedAt };
    });
  }

  /** Null if the text is not a token of one of the project's links. */
  async ofToken(projectId: string, token: unknown): Promise<RedemptionLinkRow | null> {
    return isLinkToken(token) ? this.repository.findByToken(projectId, credentialHash(token)) : null;
  }

  /** Like `ofToken`, before the project is known. */
  async ofAnyProject(token: unknown): Promise<RedemptionLinkRow | null> {
    const projectId = isLinkToken(token) ? await this.repository.projectOf(credentialHash(token)) : null;
    return projectId === null ? null : this.ofToken(projectId, token);
  }

  /** Whether the customer with an app user id redeemed the link, under any of their ids. */
  async isRedeemedBy(
    { projectId, redeemedByCustomerId }: RedemptionLinkRow,
    appUserId: string,
  ): Promise<boolean> {
    const customerId = await this.customers.idOf(projectId, appUserId);
    return customerId !== null && customerId === redeemedByCustomerId;
  }

  /** Locks a link. Lock its customers first. Null if it was deleted. */
  lock(tx: Transaction, { projectId, id }: RedemptionLinkRow): Promise<RedemptionLinkRow | null> {
    return this.repository.lock(tx, projectId, id);
  }

  /** Marks a locked link as redeemed. */
  async redeemed(
    tx: Transaction,
    { projectId, id }: RedemptionLinkRow,
    redeemer: { appUserId: string; customerId: string },
    nowMs: number,
  ): Promise<void> {
    await this.repository.update(tx, projectId, id, {
      redeemedAt: new Date(nowMs),
      redeemedBy: redeemer.appUserId,
      redeemedByCustomerId: redeemer.customerId,
    });
    await this.mails.forget(tx, id);
  }

  nowMs(): number {
    return this.clock.nowMs();
  }
}
