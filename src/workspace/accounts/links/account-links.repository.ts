import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { AccountLink, type LinkPurpose } from './account-link.entity.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

const KEPT_MS = 30 * 86_400_000;

@Injectable()
export class AccountLinksRepository {
  constructor(@InjectRepository(AccountLink) private readonly links: Repository<AccountLink>) {}

  async insert(tx: Transaction, link: AccountLink): Promise<void> {
    await onTransaction(this.links, tx).insert(link);
  }

  find(tokenHash: Buffer, purpose: LinkPurpose, tx?: Transaction): Promise<AccountLink | null> {
    return onTransaction(this.links, tx).findOneBy({ tokenHash, purpose });
  }

  findOpen(userId: string, purpose: LinkPurpose, now: Date): Promise<AccountLink | null> {
    return this.links.findOneBy({ userId, purpose, endedAt: IsNull(), expiresAt: MoreThan(now) });
  }

  /** Returns false if the link is no longer open. */
  async use(tx: Transaction, tokenHash: Buffer, now: Date): Promise<boolean> {
    const open = { tokenHash, endedAt: IsNull(), expiresAt: MoreThan(now) };
    const { affected } = await onTransaction(this.links, tx).update(open, { endedAt: now, endedBy: 'used' });
    return affected === 1;
  }

  /** Ends a user's open links, marking them as replaced. */
  async endOpen(tx: Transaction, userId: string, purposes: LinkPurpose[], now: Date): Promise<void> {
    const open = { userId, purpose: In(purposes), endedAt: IsNull() };
    await onTransaction(this.links, tx).update(open, { endedAt: now, endedBy: 'replaced' });
  }

  @Cleanup('account_cleanup', KEPT_MS)
  async deleteExpired(before: Date): Promise<number> {
    return (await this.links.delete({ expiresAt: LessThanOrEqual(before) })).affected ?? 0;
  }
}
