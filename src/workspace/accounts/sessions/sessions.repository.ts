import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Not, Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import { type Place, placeByCreation } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { Session } from './session.entity.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

export type ListedSession = Omit<Session, 'tokenHash' | 'userId' | 'ssoConnectionId' | 'ssoOrgId'>;

const page = statement(
  'sessions.page',
  `SELECT id, method, ip, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
     expires_at AS "expiresAt"
   FROM sessions
   WHERE user_id = $1 AND expires_at > $2 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::text))
   ORDER BY created_at DESC, id DESC
   LIMIT $5`,
);

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, session: Session): Promise<void> {
    await onTransaction(this.sessions, tx).insert(session);
  }

  /** Returns up to `limit + 1` unexpired sessions, newest first. */
  page(userId: string, now: Date, { limit }: PageRequest, after: Place | null): Promise<ListedSession[]> {
    return this.database.query(page, [userId, now, ...(after ?? [null, null]), limit + 1]);
  }

  /** Returns the session's position in the list, or null if it belongs to another user. */
  async placeOf(userId: string, id: string): Promise<Place | null> {
    const session = await this.sessions.findOneBy({ userId, id });
    return session && placeByCreation(session);
  }

  async delete(tokenHash: Buffer): Promise<void> {
    await this.sessions.delete({ tokenHash });
  }

  /** Returns false if the user has no such session, or it has expired. */
  async deleteOne(userId: string, id: string, now: Date): Promise<boolean> {
    const { affected } = await this.sessions.delete({
      userId,
      id,
      expiresAt: MoreThan(now),
    });
    return affected === 1;
  }

  async deleteOfUser(tx: Transaction, userId: string): Promise<number> {
    return (await onTransaction(this.sessions, tx).delete({ userId })).affected ?? 0;
  }

  async deleteOthers(tx: Transaction, userId: string, id: string): Promise<number> {
    return (await onTransaction(this.sessions, tx).delete({ userId, id: Not(id) })).affected ?? 0;
  }

  async deleteOfConnection(tx: Transaction, ssoConnectionId: string): Promise<number> {
    return (await onTransaction(this.sessions, tx).delete({ ssoConnectionId })).affected ?? 0;
  }

  @Cleanup('account_cleanup')
  async deleteEnded(now: Date): Promise<number> {
    return (await this.sessions.delete({ expiresAt: LessThanOrEqual(now) })).affected ?? 0;
  }
}
