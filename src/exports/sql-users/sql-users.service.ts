import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Clock, newId, newSqlPassword, newSqlRoleName } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { sqlState } from '../../platform/database/database-errors.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { ProjectDeletions } from '../../workspace/projects/project-deletions.service.js';
import { ReportConsumers } from '../report-rows/report-consumers.service.js';
import { ReportRowsService } from '../report-rows/report-rows.service.js';
import { connectionUrl, sqlPlaceUrl } from './connection-url.policy.js';
import { scramVerifier } from './scram-verifier.js';
import { sqlAccessOf } from './sql-access.js';
import { type ServerRole, SqlRolesRepository } from './sql-roles.repository.js';
import { SqlSessionsService } from './sql-sessions.service.js';
import type { CreateSqlUserDto } from './sql-user.dto.js';
import type { SqlUser } from './sql-user.entity.js';
import { SqlUsersRepository } from './sql-users.repository.js';
import { sqlWarnings } from './sql-warnings.policy.js';

const MOST = 20;
const INSUFFICIENT_PRIVILEGE = '42501';

const mayNotCreate = (): ApiError =>
  new ApiError(
    'impossible',
    "The server's database role may not create roles. Run `tenure sql-user create --print-sql`, and let an administrator of PostgreSQL run what it prints.",
  );

/** A SQL user with what is shown only once. */
export interface SqlUserWithPassword {
  user: SqlUser;
  password: string;
  connectionUrl: string;
}

@Injectable()
export class SqlUsersService implements OnModuleInit {
  constructor(
    private readonly repository: SqlUsersRepository,
    private readonly roles: SqlRolesRepository,
    private readonly sessions: SqlSessionsService,
    private readonly alerts: ProjectAlertsService,
    private readonly reportRows: ReportRowsService,
    private readonly reportConsumers: ReportConsumers,
    private readonly deletions: ProjectDeletions,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.reportConsumers.register('sql_users', (reader, projectId) =>
      this.repository.hasAny(reader, projectId),
    );
    // From the commit on, the views are empty for them.
    this.deletions.register((tx, projectId) => this.repository.deleteAll(tx, projectId));
  }

  get access(): Config['sqlAccess'] {
    return sqlAccessOf(this.config);
  }

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(projectId: string, page: PageRequest): Promise<SqlUser[]> {
    return this.repository.page(projectId, page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<SqlUser> {
    return found(await this.repository.find({ projectId, id }), id);
  }

  /** Returns the users of all projects, for the operator. */
  all(): Promise<SqlUser[]> {
    return this.repository.all();
  }

  /** @throws ApiError 400 for a time in the past; 422 if the server cannot create one, or for too many */
  async create(write: ProjectWrite, body: CreateSqlUserDto): Promise<SqlUserWithPassword> {
    const server = await this.readyServer();
    if (!server.canCreateRoles) throw mayNotCreate();
    return this.added(write, body, server, async (tx, user, verifier) => {
      await this.roles.create(tx, { ...user, verifier }, server, this.config.sqlStatementSeconds);
    });
  }

  /**
   * Adds the user without its role, and returns the statements with which an administrator creates it.
   * @throws ApiError as `create`
   */
  async createForAdministrator(
    write: ProjectWrite,
    body: CreateSqlUserDto,
  ): Promise<SqlUserWithPassword & { statements: string[] }> {
    const server = await this.readyServer();
    let statements: string[] = [];
    const made = await this.added(write, body, server, (_, user, verifier) => {
      statements = this.roles.creationOf({ ...user, verifier }, server, this.config.sqlStatementSeconds);
      return Promise.resolve();
    });
    return { ...made, statements };
  }

  /** Sets a new password and ends all sessions. Also allows a blocked user again. @throws ApiError 404, 422 */
  async rotate(write: ProjectWrite, id: string): Promise<SqlUserWithPassword> {
    const { projectId } = write;
    await this.get(projectId, id);
    const server = await this.readyServer();
    const { password, verifier } = await newPassword();
    const user = await this.writes.run(write, async (tx) => {
      const present = found(await this.repository.lock(tx, { projectId, id }), id);
      const terms = { ...present, verifier };
      await this.changeRole(async () => {
        if (await this.roles.exists(tx, present.roleName)) await this.roles.changePassword(tx, terms);
        // A backup was restored on another server.
        else await this.roles.create(tx, terms, server, this.config.sqlStatementSeconds);
      });
      await this.repository.unblock(tx, present);
      await this.alerts.withdraw(tx, { projectId, cause: 'sql_user_blocked', subjectId: id });
      await tx.audit({ action: 'rotated', target: 'sql_user', targetId: id });
      return { ...present, blockedAt: null };
    });
    await this.sessions.endSessions(user.roleName, 'rotated');
    return this.withPassword(user, password, server);
  }

  /**
   * From the commit on, the views are empty for the user. Then its sessions are ended and the role is dropped. Returns
   * the time (epoch ms). @throws ApiError 404
   */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    const { roleName } = await this.get(projectId, id);
    const deletedAtMs = await this.writes.run(write, async (tx) => {
      if (!(await this.repository.delete(tx, { projectId, id }))) throw missing(id);
      await this.alerts.withdraw(tx, { projectId, cause: 'sql_user_blocked', subjectId: id });
      await tx.audit({ action: 'deleted', target: 'sql_user', targetId: id });
      return tx.nowMs();
    });
    await this.sessions.dropRoles(roleName);
    return deletedAtMs;
  }

  /** Sentences about settings of PostgreSQL that make the access of a user less safe. */
  async warnings({ roleName }: SqlUser): Promise<string[]> {
    const openLines = await this.roles.openRules(roleName);
    return sqlWarnings(await this.roles.serverState(), { isPrimary: this.access === 'primary', openLines });
  }

  private async added(
    write: ProjectWrite,
    { name, expires_at: expiresAtMs = null }: CreateSqlUserDto,
    server: ServerRole,
    createRoleOf: (tx: WriteTransaction, user: SqlUser, verifier: string) => Promise<void>,
  ): Promise<SqlUserWithPassword> {
    const { projectId } = write;
    if (expiresAtMs !== null && expiresAtMs <= this.clock.nowMs())
      throw new ApiError('parameter', 'expires_at must be in the future.', { param: 'expires_at' });
    const { password, verifier } = await newPassword();
    const user = await this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      const count = await this.repository.count(tx, projectId);
      if (count === null) throw ApiError.missing('project', projectId);
      if (count >= MOST) throw new ApiError('impossible', `A project has at most ${MOST} SQL users.`);
      const added: SqlUser = {
        roleName: newSqlRoleName(),
        projectId,
        id: newId('sqlUser', nowMs),
        name,
        createdBy: write.actor.identifier,
        createdAt: new Date(nowMs),
        expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
        lastSeenAt: null,
        blockedAt: null,
      };
      await this.repository.insert(tx, added);
      await this.reportRows.enable(tx, projectId);
      await this.changeRole(() => createRoleOf(tx, added, verifier));
      await tx.audit({ action: 'created', target: 'sql_user', targetId: added.id });
      return added;
    });
    return this.withPassword(user, password, server);
  }

  /** @throws ApiError 422 if SQL access is off or has no address */
  private async readyServer(): Promise<ServerRole> {
    const { edition, sqlAccess } = this.config;
    const { sqlAccess: access, sqlPublicHost } = settings;
    if (edition === 'cloud') throw new ApiError('impossible', 'A hosted server does not offer SQL access.');
    if (sqlAccess === 'off')
      throw new ApiError(
        'impossible',
        `SQL access is turned off on this server. Set ${access.variable} to turn it on.`,
      );
    const server = await this.roles.server();
    if (this.placeOf(server) === null)
      throw new ApiError(
        'impossible',
        `SQL users have no server to connect to: set ${settings.replicaUrls.variable} or ${sqlPublicHost.variable}.`,
      );
    return server;
  }

  private placeOf({ database }: ServerRole): URL | null {
    const { sqlAccess: access, sqlPublicHost: publicHost, replicaUrls } = this.config;
    const primaryUrl = this.config.directDatabaseUrl ?? this.config.databaseUrl;
    return sqlPlaceUrl({ access, publicHost, primaryUrl, replicaUrls, database });
  }

  private withPassword(user: SqlUser, password: string, server: ServerRole): SqlUserWithPassword {
    const place = this.placeOf(server);
    return {
      user,
      password,
      connectionUrl: place === null ? '' : connectionUrl(place, user.roleName, password),
    };
  }

  /** @throws ApiError 422 if PostgreSQL does not let the server change the role */
  private async changeRole(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (sqlState(error) === INSUFFICIENT_PRIVILEGE) throw mayNotCreate();
      throw error;
    }
  }
}

async function newPassword(): Promise<{ password: string; verifier: string }> {
  const password = newSqlPassword();
  return { password, verifier: await scramVerifier(password) };
}

function missing(id: string): ApiError {
  return ApiError.missing('SQL user', id);
}

function found(user: SqlUser | null, id: string): SqlUser {
  if (!user) throw missing(id);
  return user;
}
