import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import {
  customerSessionChanged,
  customerSessionsChanged,
} from '../../platform/auth/customer-tokens/customer-token-cache.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import {
  RefreshRepetitionsService,
  type Repetition,
} from '../../platform/refresh-tokens/refresh-repetitions.service.js';
import {
  decideReplaced,
  MAX_STEPS,
  openSuccessors,
  sealSuccessor,
} from '../../platform/refresh-tokens/replaced-token.policy.js';
import type { CustomerSession } from './customer-session.entity.js';
import { CustomerSessionsRepository, LIFETIME_MS, type SessionKey } from './customer-sessions.repository.js';
import { newRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.js';

export type NewSession = Pick<
  CustomerSession,
  'projectId' | 'appId' | 'appUserId' | 'method' | 'providerId' | 'subject'
>;

export interface StartedSession {
  session: CustomerSession;
  refreshToken: string;
}

interface RefreshedSession extends StartedSession {
  /** Set if the presented token had already been replaced. */
  repetition?: Pick<Repetition, 'replacedAgoMs' | 'waitedMs'>;
}

/** The place that the successor of a replaced token is sealed for. */
function placeOf({ projectId, id }: CustomerSession, generation: number): string {
  return `${projectId}/${id}/${generation}`;
}

/** The app whose public key the caller uses. */
export interface CallingApp {
  projectId: string;
  appId: string;
}

/** Sessions of customers. Ending a session deletes it, which also ends its access tokens on every replica. */
@Injectable()
export class CustomerSessionsService {
  constructor(
    private readonly repository: CustomerSessionsRepository,
    private readonly repetitions: RefreshRepetitionsService,
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
      generation: 1,
      generationUsedAt: null,
      signedInAt: new Date(nowMs),
      lastUsedAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
    };
    await this.repository.insert(tx, session);
    return { session, refreshToken: token.text };
  }

  /**
   * Replaces the refresh token for another 30 days. A repeated request gets the current token again. Any other replaced
   * token ends the session, because one of its two holders has stolen it. Null if the token belongs to no session of
   * the app, or to one that must not continue.
   * @throws ApiError 429 for too many repetitions
   */
  async refresh(
    { projectId, appId }: CallingApp,
    refreshToken: string,
    mayContinue: (tx: Transaction, projectId: string, providerId: string | null) => Promise<boolean>,
  ): Promise<StartedSession | null> {
    const presented = parseRefreshToken(refreshToken);
    if (presented === null) return null;
    const arrivedAtMs = performance.now();
    const refreshed = await this.database.transaction(async (tx): Promise<RefreshedSession | null> => {
      const session = await this.repository.lock(tx, projectId, appId, presented.familyHash);
      if (session === null || session.expiresAt.getTime() <= this.clock.nowMs()) return null;
      const isCurrent = session.refreshHash.equals(presented.hash);
      const repeated = isCurrent ? null : await this.repeated(tx, session, presented, arrivedAtMs);
      if (!isCurrent && repeated === null) return null;
      if (!(await mayContinue(tx, projectId, session.providerId))) return null;
      return repeated ?? (await this.replace(tx, session, presented));
    });
    if (refreshed?.repetition) {
      const { id: ownerId, generation } = refreshed.session;
      await this.repetitions.count({ projectId, ownerId, generation, ...refreshed.repetition });
    }
    return refreshed;
  }

  private async replace(
    tx: Transaction,
    session: CustomerSession,
    presented: RefreshToken,
  ): Promise<StartedSession> {
    const now = new Date(this.clock.nowMs());
    const next = newRefreshToken(presented.family);
    const { projectId, id: sessionId, generation, refreshHash } = session;
    const { graceMs } = this.repetitions.rules(LIFETIME_MS);
    await this.repository.forgetSuccessors(tx, session, graceMs);
    await this.repository.addReplaced(tx, {
      projectId,
      sessionId,
      generation,
      refreshHash,
      issuedAt: new Date(session.expiresAt.getTime() - LIFETIME_MS),
      sealedSuccessor:
        graceMs === 0 ? null : sealSuccessor(presented.text, next.text, placeOf(session, generation)),
    });
    const renewed = {
      ...session,
      refreshHash: next.hash,
      generation: generation + 1,
      generationUsedAt: null,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    };
    await this.repository.replaceToken(tx, renewed);
    return { session: renewed, refreshToken: next.text };
  }

  /** The current token for a repeated request with a replaced token; null if it has expired, or if the session ends. */
  private async repeated(
    tx: Transaction,
    session: CustomerSession,
    presented: RefreshToken,
    arrivedAtMs: number,
  ): Promise<RefreshedSession | null> {
    const waitedMs = performance.now() - arrivedAtMs;
    const replaced = await this.repository.findReplaced(tx, session, presented.hash, MAX_STEPS);
    const [first] = replaced;
    const current = { generation: session.generation, usedAt: session.generationUsedAt };
    const decision = first ? decideReplaced(first, current, this.repetitions.rules(LIFETIME_MS)) : 'reuse';
    if (decision === 'expired') return null;
    if (first && decision === 'repeat') {
      const text = openSuccessors(presented.text, replaced, (generation) => placeOf(session, generation));
      const token = text === null ? null : parseRefreshToken(text);
      if (token?.hash.equals(session.refreshHash)) {
        const { replacedAgoMs } = first;
        return { session, refreshToken: token.text, repetition: { replacedAgoMs, waitedMs } };
      }
    }
    await this.end(tx, session);
    const { projectId, id } = session;
    tx.afterCommit(() => this.repetitions.recordReuse('customer', projectId, id));
    return null;
  }

  /** Ends the session of a refresh token, replaced or not. Returns false if the text is not a refresh token. */
  async endByToken({ projectId, appId }: CallingApp, refreshToken: string): Promise<boolean> {
    const presented = parseRefreshToken(refreshToken);
    if (presented === null) return false;
    await this.database.transaction(async (tx) => {
      const session = await this.repository.lock(tx, projectId, appId, presented.familyHash);
      if (session !== null) await this.end(tx, session);
    });
    return true;
  }

  /** Ends one access token. Its session and the session's other tokens remain valid. */
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

  /** Ends the sessions of a deleted provider. */
  async endOfProvider(tx: Transaction, projectId: string, providerId: string): Promise<void> {
    await this.repository.endOfProvider(tx, projectId, providerId);
    await customerSessionsChanged(tx, projectId);
  }

  /** Ends the sessions of an unlinked identity. */
  async endOfIdentity(
    tx: Transaction,
    projectId: string,
    providerId: string,
    subject: string,
  ): Promise<void> {
    await this.repository.endOfIdentity(tx, projectId, providerId, subject);
    await customerSessionsChanged(tx, projectId);
  }

  private async end(tx: Transaction, { projectId, id }: CustomerSession): Promise<void> {
    await this.repository.end(tx, projectId, id);
    await customerSessionChanged(tx, projectId, id);
  }
}
