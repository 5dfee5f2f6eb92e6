import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import type { AccountLink, LinkPurpose } from './account-link.entity.js';
import { AccountLinksRepository } from './account-links.repository.js';
import { linkLifetimeMs, linkMessages, type LinkProblem, linkProblem, linkUrl } from './link.policy.js';

/** Time during which a link still reports why it no longer works. */

/** A link's expiration and URL. The URL cannot be recreated, because only its hash is stored. */
export interface NewLink {
  url: string;
  expiresAtMs: number;
}

export type OpenLink = Pick<AccountLink, 'email' | 'expiresAt'>;

function invalid(reason: LinkProblem): ApiError {
  return new ApiError('parameter', linkMessages[reason], { accountType: 'token_invalid', reason });
}

/** Links in mails. Each works once, and a user has at most one open link for each purpose. */
@Injectable()
export class AccountLinksService {
  constructor(
    private readonly repository: AccountLinksRepository,
    private readonly users: UsersRepository,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Replaces the open link of the same purpose. `tx` must have locked the account (`UsersRepository.lock`). */
  async create(tx: Transaction, userId: string, purpose: LinkPurpose, email: string): Promise<NewLink> {
    const now = this.now();
    const token = newToken();
    const expiresAt = new Date(now.getTime() + linkLifetimeMs[purpose]);
    await this.repository.endOpen(tx, userId, [purpose], now);
    await this.repository.insert(tx, {
      tokenHash: credentialHash(token),
      userId,
      purpose,
      email,
      createdAt: now,
      expiresAt,
      endedAt: null,
      endedBy: null,
    });
    return { url: linkUrl(this.config.baseUrl, purpose, token), expiresAtMs: expiresAt.getTime() };
  }

  /** Returns null if the link works; does not use it up. */
  async problemOf(token: string, purpose: LinkPurpose): Promise<LinkProblem | null> {
    return linkProblem(await this.repository.find(credentialHash(token), purpose), this.now());
  }

  /** @throws ApiError 400 `token_invalid` */
  async assertOpen(token: string, purpose: LinkPurpose): Promise<void> {
    const problem = await this.problemOf(token, purpose);
    if (problem !== null) throw invalid(problem);
  }

  /** Locks the account and uses the link up. @throws ApiError 400 `token_invalid` */
  async use(
    tx: Transaction,
    token: string,
    purpose: LinkPurpose,
  ): Promise<{ user: User; link: AccountLink }> {
    const tokenHash = credentialHash(token);
    const found = await this.repository.find(tokenHash, purpose, tx);
    const user = found && (await this.users.lock(tx, found.userId));
    if (user && (await this.repository.use(tx, tokenHash, this.now()))) return { user, link: found };
    // Another request may have ended it while this one waited for the lock.
    const link = user && (await this.repository.find(tokenHash, purpose, tx));
    throw invalid(linkProblem(link, this.now()) ?? 'not_found');
  }

  /** Returns the open link for this purpose, or null. */
  findOpen(userId: string, purpose: LinkPurpose): Promise<OpenLink | null> {
    return this.repository.findOpen(userId, purpose, this.now());
  }

  endOpen(tx: Transaction, userId: string, purposes: LinkPurpose[]): Promise<void> {
    return this.repository.endOpen(tx, userId, purposes, this.now());
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
