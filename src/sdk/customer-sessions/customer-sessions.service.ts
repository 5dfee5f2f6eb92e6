import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import {
  customerSessionChanged,
  customerSessionsChanged,
} from '../../platform/auth/customer-token-cache.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import type { CustomerSession } from './customer-session.entity.js';
import { CustomerSessionsRepository, type SessionKey } from './customer-sessions.repository.js';
import { newRefreshToken, parseRefreshToken } from './refresh-token.js';

/** From each issue of a refresh token. */
const LIFETIME_MS = 30 * 86_400_000;

export type NewSession = Pick<
  CustomerSession,
  'projectId' | 'appId' | 'appUserId' | 'method' | 'providerId' | 'subject'
>;

export interface StartedSession {
  session: CustomerSession;
  refreshToken: string;
}

/** The app by whose public key a call is made. */
export interface CallingApp {
  projectId: string;
  appId: string;
}

/** Sessions of customers. One that ends is deleted, which ends its access tokens on every replica. */
@Injectable()
export class CustomerSessionsService {
  constructor(
    private readonly repository: CustomerSessionsRepository,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async start(tx: Transaction, start: NewSession): Promise<StartedSession> {
    const nowMs = this.clock.nowMs();
    const token = newRefreshToken();
    const session: CustomerSession = {
      ...start,
      id: newId('customerSession', nowMs),
      familyHash: token.familyHash,
      refreshHash: token.hash,
      signedInAt: new Date(nowMs),
      lastUsedAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
    };
    await this.repository.insert(tx, session);
    return { session, refreshToken: token.text };
  }

  /**
   * Replaces the refresh token, for another 30 days. A token that was replaced before ends the session: one of the two
   * who hold it has stolen it. Null if the token leads to no session of the app, or to one that must not go on.
   */
  refresh(
    { projectId, appId }: CallingApp,
    refreshToken: string,
    mayGoOn: (tx: Transaction, projectId: string, providerId: string | null) => Promise<boolean>,
  ): Promise<StartedSession | null> {
    const presented = parseRefreshToken(refreshToken);
    if (presented === null) return Promise.resolve(null);
    return this.database.transaction(async (tx) => {
      const session = await this.repository.lock(tx, projectId, appId, presented.familyHash);
      const nowMs = this.clock.nowMs();
      if (session === null || session.expiresAt.getTime() <= nowMs) return null;
      if (!session.refreshHash.equals(presented.hash)) {
        await this.end(tx, session);
        return null;
      }
      if (!(await mayGoOn(tx, projectId, session.providerId))) return null;
      const next = newRefreshToken(presented.family);
      const renewed = {
        ...session,
        refreshHash: next.hash,
        lastUsedAt: new Date(nowMs),
        expiresAt: new Date(nowMs + LIFETIME_MS),
      };
      await this.repository.replaceToken(tx, renewed);
      return { session: renewed, refreshToken: next.text };
    });
  }

  /** Ends the session of a refresh token, replaced or not; false if the text is not a refresh token. */
  async endByToken({ projectId, appId }: CallingApp, refreshToken: string): Promise<boolean> {
    const presented = parseRefreshToken(refreshToken);
    if (presented === null) return false;
    await this.database.transaction(async (tx) => {
      const session = await this.repository.lock(tx, projectId, appId, presented.familyHash);
      if (session !== null) await this.end(tx, session);
    });
    return true;
  }

  /** Ends one access token; its session and the other tokens go on. */
  async revokeAccessToken(
    { projectId }: CallingApp,
    token: { tokenId: string; sessionId: string; expiresAt: Date },
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.repository.revoke(tx, projectId, token.tokenId, token.expiresAt);
      await customerSessionChanged(tx, projectId, token.sessionId);
    });
  }

  isActive(session: SessionKey): Promise<boolean> {
    return this.repository.isActive(session, new Date(this.clock.nowMs()));
  }

  /** A provider was deleted. */
  async endOfProvider(tx: Transaction, projectId: string, providerId: string): Promise<void> {
    await this.repository.endOfProvider(tx, projectId, providerId);
    await customerSessionsChanged(tx, projectId);
  }

  /** An identity was unlinked. */
  async endOfIdentity(
    tx: Transaction,
    projectId: string,
    providerId: string,
    subject: string,
  ): Promise<void> {
    await this.repository.endOfIdentity(tx, projectId, providerId, subject);
    await customerSessionsChanged(tx, projectId);
  }

  /** Deletes expired sessions and revoked tokens. */
  async prune(): Promise<void> {
    const now = new Date(this.clock.nowMs());
    await deleteInBatches((limit) => this.repository.deleteExpiredSessions(now, limit));
    await deleteInBatches((limit) => this.repository.deleteExpiredTokens(now, limit));
  }

  private async end(tx: Transaction, { projectId, id }: CustomerSession): Promise<void> {
    await this.repository.end(tx, projectId, id);
    await customerSessionChanged(tx, projectId, id);
  }
}
