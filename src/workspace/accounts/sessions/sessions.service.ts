import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newToken } from '../../../../libs/kernel/index.js';
import { credentialHash, SESSION_LIFETIME_S } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { SessionMethod } from '../../../platform/principal/principal.js';
import { LoginAttemptsRepository } from '../sign-in/login-attempts.repository.js';
import type { Client } from './client.js';
import { KnownDevicesRepository } from './known-devices.repository.js';
import { type ListedSession, SessionsRepository } from './sessions.repository.js';

/** Maximum number of known devices of a user; the least recently used are removed. */
const MAX_DEVICES = 20;

/** The identity provider's connection that starts a session, and its organization. */
export interface SsoOrigin {
  connectionId: string;
  orgId: string;
}

/** Dashboard sessions. They last 30 days from sign-in, regardless of use. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly repository: SessionsRepository,
    private readonly attempts: LoginAttemptsRepository,
    private readonly devices: KnownDevicesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Starts a session and returns its token. Only the hash is stored. */
  async start(
    tx: Transaction,
    userId: string,
    method: SessionMethod,
    client: Client,
    sso: SsoOrigin | null = null,
  ): Promise<string> {
    const token = newToken();
    const now = this.now();
    const { ip, userAgent, device } = client;
    await this.devices.remember(tx, userId, credentialHash(device), now, MAX_DEVICES);
    await this.repository.insert(tx, {
      tokenHash: credentialHash(token),
      id: newId('session', now.getTime()),
      userId,
      method,
      ssoConnectionId: sso?.connectionId ?? null,
      ssoOrgId: sso?.orgId ?? null,
      ip,
      userAgent,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_S * 1000),
    });
    return token;
  }

  /** Up to `limit + 1` sessions, newest first. @throws ApiError 400 if `page.after` is not one of the user's */
  async page(userId: string, page: PageRequest): Promise<ListedSession[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(userId, id));
    return this.repository.page(userId, this.now(), page, after);
  }

  /** Ends the session of a token; unknown tokens are ignored. */
  async end(token: string): Promise<void> {
    await this.repository.delete(credentialHash(token));
  }

  /** @throws ApiError 404 if the user has no such session */
  async endOne(userId: string, id: string): Promise<void> {
    if (!(await this.repository.deleteOne(userId, id, this.now())))
      throw new ApiError('missing', `You have no session ${JSON.stringify(id)}.`);
  }

  /** Ends every session of a user, and sign-ins waiting for a code. Returns the number of sessions. */
  async endAll(tx: Transaction, userId: string): Promise<number> {
    await this.attempts.deleteOfUser(tx, userId);
    return this.repository.deleteOfUser(tx, userId);
  }

  /** Like `endAll`, except for the session `id`. */
  async endOthers(tx: Transaction, userId: string, id: string): Promise<number> {
    await this.attempts.deleteOfUser(tx, userId);
    return this.repository.deleteOthers(tx, userId, id);
  }

  /** Ends the sessions started through a connection to an identity provider. Returns their number. */
  endOfConnection(tx: Transaction, connectionId: string): Promise<number> {
    return this.repository.deleteOfConnection(tx, connectionId);
  }

  async endAllOthers(userId: string, id: string): Promise<void> {
    await this.database.transaction((tx) => this.endOthers(tx, userId, id));
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
