import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { sqlAccessOf } from './sql-access.js';
import { type FoundSession, SqlRolesRepository } from './sql-roles.repository.js';
import { type EndReason, reasonToEnd } from './sql-sessions.policy.js';
import { SqlUsersMetrics } from './sql-users.metrics.js';
import { SqlUsersRepository, type WatchedUser } from './sql-users.repository.js';

const HOUR_MS = 3_600_000;
/** Sessions of a user that are ended for locks within an hour before the user is blocked. */
const MAX_LOCK_ENDS = 3;

/** Limits what SQL users can do on the primary and the replicas. Safe to run in several processes at once. */
@Injectable()
export class SqlSessionsService {
  constructor(
    private readonly users: SqlUsersRepository,
    private readonly roles: SqlRolesRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly metrics: SqlUsersMetrics,
    private readonly database: DatabaseService,
    private readonly config: Config,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async watch(): Promise<void> {
    const sessions = await this.roles.sessions();
    this.metrics.setOpen(sessions.length);
    if (sessions.length > 0) await this.examine(sessions);
    await this.dropRoles();
  }

  /** Ends all sessions of a role, on all servers. */
  async endSessions(roleName: string, reason: EndReason): Promise<void> {
    for (const session of await this.roles.sessions())
      if (session.roleName === roleName) await this.end(session, reason);
  }

  /** Drops the roles of deleted users, or only one. A role that cannot be dropped loses its login and is tried again. */
  async dropRoles(only: string | null = null): Promise<void> {
    for (const roleName of await this.users.claimDrops(only)) {
      try {
        if (await this.roles.exists(this.database, roleName)) {
          await this.close(roleName);
          await this.endSessions(roleName, 'deleted');
        }
        await this.roles.drop(roleName);
      } catch (error) {
        this.log.warn(
          { err: error, role: roleName },
          'the role of a deleted SQL user was not dropped; it is tried again',
        );
      }
    }
  }

  private async examine(sessions: FoundSession[]): Promise<void> {
    const roleNames = [...new Set(sessions.map(({ roleName }) => roleName))];
    await this.users.noteSeen(roleNames, this.now());
    const users = new Map((await this.users.ofRoles(roleNames)).map((user) => [user.roleName, user]));
    for (const session of sessions) {
      const user = users.get(session.roleName) ?? null;
      const reason = reasonToEnd(session, user, {
        access: sqlAccessOf(this.config),
        isPrimary: session.replica === null,
        statementSeconds: this.config.sqlStatementSeconds,
      });
      if (reason === null || !(await this.end(session, reason))) continue;
      if (reason === 'lock' && user !== null) await this.blockAfterLocks(user);
    }
  }

  /** Returns false if another process counts it. */
  private async end(session: FoundSession, reason: EndReason): Promise<boolean> {
    const { roleName, replica } = session;
    await this.roles.endSession(session);
    if (!(await this.users.recordEnd(session, reason, this.now()))) return false;
    this.metrics.countEnded(reason);
    const server = replica === null ? 'primary' : `replica ${replica + 1}`;
    const level = reason === 'rotated' || reason === 'deleted' ? 'info' : 'warn';
    this.log[level]({ role: roleName, reason, server }, 'a session of a SQL user was ended');
    return true;
  }

  private async blockAfterLocks({ roleName, projectId, id, name }: WatchedUser): Promise<void> {
    if ((await this.users.countLockEnds(roleName, this.ago(HOUR_MS))) < MAX_LOCK_ENDS) return;
    await this.database.transaction(async (tx) => {
      if (!(await this.users.block(tx, roleName, this.now()))) return;
      const message = `Its sessions held locks ${MAX_LOCK_ENDS} times within an hour.`;
      await this.alerts.open(tx, { projectId, cause: 'sql_user_blocked', subjectId: id }, { name, message });
    });
    await this.close(roleName);
  }

  /** If only an administrator can change the role, it can still log in, but its sessions are ended. */
  private async close(roleName: string): Promise<void> {
    try {
      await this.roles.close(roleName);
    } catch (error) {
      this.log.warn({ err: error, role: roleName }, 'the role of a SQL user keeps its login');
    }
  }

  private ago(ms: number): Date {
    return new Date(this.clock.nowMs() - ms);
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
