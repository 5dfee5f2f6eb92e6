import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../../libs/kernel/index.js';
import { credentialHash, SESSION_LIFETIME_S } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import type { Client } from './client.js';
import type { SessionMethod } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** Dashboard sessions. They last 30 days from sign-in, regardless of use. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly repository: SessionsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Starts a session and returns its token. Only the hash is stored. */
  async start(tx: Transaction, userId: string, method: SessionMethod, client: Client): Promise<string> {
    const token = newToken();
    const now = new Date(this.clock.nowMs());
    await this.repository.insert(tx, {
      tokenHash: credentialHash(token),
      userId,
      method,
      ...client,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_S * 1000),
    });
    return token;
  }

  /** Ends the session of a token; unknown tokens are ignored. */
  async end(token: string): Promise<void> {
    await this.repository.delete(credentialHash(token));
  }

  /** Ends every session of a user. Returns the number. */
  endAll(tx: Transaction, userId: string): Promise<number> {
    return this.repository.deleteOfUser(tx, userId);
  }

  async prune(): Promise<void> {
    await this.repository.deleteEnded(new Date(this.clock.nowMs()));
  }
}
