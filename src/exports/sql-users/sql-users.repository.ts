import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Reader, type Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { cleanUp } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';
import { SqlUser } from './sql-user.entity.js';
import type { EndReason, SqlSession } from './sql-sessions.policy.js';
import * as sql from './sql-roles.sql.js';

/** Ends of sessions count for an hour. */
const ENDS_KEPT_MS = 24 * 3_600_000;

export type SqlUserKey = Pick<SqlUser, 'projectId' | 'id'>;

/** A SQL user, as the watch job judges its sessions. */
export interface WatchedUser extends SqlUserKey {
  roleName: string;
  name: string;
  isBlocked: boolean;
  isExpired: boolean;
}

@Injectable()
export class SqlUsersRepository {
  constructor(
    @InjectRepository(SqlUser) private readonly users: Repository<SqlUser>,
    private readonly database: DatabaseService,
  ) {}

  /** Oldest first. */
  page(projectId: string, page: PageRequest): Promise<SqlUser[]> {
    return keysetPage(this.users, { projectId }, page);
  }

  find({ projectId, id }: SqlUserKey): Promise<SqlUser | null> {
    return this.users.findOneBy({ projectId, id });
  }

  /** Every user of the server, for its operator. */
  all(): Promise<SqlUser[]> {
    return this.users.find({ order: { projectId: 'ASC', createdAt: 'ASC', id: 'ASC' } });
  }

  async hasAny(reader: Reader, projectId: string): Promise<boolean> {
    return (await reader.query(sql.anyOfProject, [projectId])).length > 0;
  }

  lock(tx: Transaction, { projectId, id }: SqlUserKey): Promise<SqlUser | null> {
    const options = { where: { projectId, id }, lock: { mode: 'pessimistic_write' } } as const;
    return onTransaction(this.users, tx).findOne(options);
  }

  /** The number of users stays the same until the transaction ends. Returns null if the project is deleted. */
  async count(tx: Transaction, projectId: string): Promise<number | null> {
    if ((await tx.query(sql.lockProject, [projectId])).length === 0) return null;
    return onTransaction(this.users, tx).countBy({ projectId });
  }

  async insert(tx: Transaction, user: SqlUser): Promise<void> {
    await onTransaction(this.users, tx).insert(user);
  }

  async unblock(tx: Transaction, { projectId, id }: SqlUserKey): Promise<void> {
    await onTransaction(this.users, tx).update({ projectId, id }, { blockedAt: null });
  }

  /** Its role is to be dropped. Returns false if it did not exist. */
  async delete(tx: Transaction, { projectId, id }: SqlUserKey): Promise<boolean> {
    await tx.query(sql.addDrops, [projectId, id]);
    const { affected } = await onTransaction(this.users, tx).delete({ projectId, id });
    return affected === 1;
  }

  /** Their roles are to be dropped. */
  async deleteAll(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(sql.addDrops, [projectId, null]);
    await onTransaction(this.users, tx).delete({ projectId });
  }

  /** Returns false if the user is blocked already or gone. */
  async block(tx: Transaction, roleName: string, now: Date): Promise<boolean> {
    return (await tx.query(sql.block, [roleName, now])).length > 0;
  }

  ofRoles(roleNames: string[]): Promise<WatchedUser[]> {
    return this.database.query(sql.usersOf, [roleNames]);
  }

  async noteSeen(roleNames: string[], now: Date): Promise<void> {
    await this.database.query(sql.seen, [roleNames, now]);
  }

  /** Returns false if another process has recorded this end. */
  async recordEnd({ roleName, startedAt, pid }: SqlSession, reason: EndReason, now: Date): Promise<boolean> {
    return (await this.database.query(sql.recordEnd, [roleName, startedAt, pid, reason, now])).length > 0;
  }

  async countLockEnds(roleName: string, since: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sql.lockEnds, [roleName, since]);
    return row?.count ?? 0;
  }

  @Cleanup('sql_session_ends_cleanup', ENDS_KEPT_MS)
  deleteOldEnds(until: Date): Promise<number> {
    return cleanUp(this.database, sql.deleteOldEnds, [until]);
  }

  /** Names of the roles to drop, or only `roleName`. A role that is not dropped is claimed again a minute later. */
  async claimDrops(roleName: string | null): Promise<string[]> {
    const rows = await this.database.query<{ roleName: string }>(sql.claimDrops, [roleName]);
    return rows.map((row) => row.roleName);
  }
}
