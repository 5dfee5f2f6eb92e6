import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { ReplicasService } from '../../platform/database/replicas/replicas.service.js';
import type { SqlSession } from './sql-sessions.policy.js';
import * as sql from './sql-roles.sql.js';
import type { SqlServerState } from './sql-warnings.policy.js';
import { mayReadRules, openRules, serverState } from './sql-warnings.sql.js';

/** The server's own role. */
export interface ServerRole {
  /** Quoted. */
  role: string;
  database: string;
  canCreateRoles: boolean;
}

export interface FoundSession extends SqlSession {
  /** Place of the replica; null for the primary. */
  replica: number | null;
}

const LOCK_TIMEOUT_MS = 2_000;

/** Roles of SQL users in PostgreSQL, and their sessions on the primary and on each replica. */
@Injectable()
export class SqlRolesRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly replicas: ReplicasService,
  ) {}

  async server(executor: Executor = this.database): Promise<ServerRole> {
    const [row] = await executor.query<ServerRole>(sql.server, []);
    if (!row) throw new Error('the schema tenure_v1 does not exist');
    return row;
  }

  async create(tx: Transaction, terms: sql.RoleTerms, server: ServerRole, seconds: number): Promise<void> {
    for (const text of this.creationOf(terms, server, seconds)) await tx.manager.query(text);
  }

  /** The statements of `create`. */
  creationOf(terms: sql.RoleTerms, { role }: ServerRole, seconds: number): string[] {
    return sql.createRole(terms, role, seconds);
  }

  async changePassword(tx: Transaction, terms: sql.RoleTerms): Promise<void> {
    await tx.manager.query(sql.changePassword(terms));
  }

  async exists(executor: Executor, roleName: string): Promise<boolean> {
    const [row] = await executor.query<{ exists: boolean }>(sql.exists, [roleName]);
    return row?.exists ?? false;
  }

  async close(roleName: string): Promise<void> {
    await this.database.manager.query(sql.closeRole(roleName));
  }

  /** Also ends the record that it is to be dropped. */
  async drop(roleName: string): Promise<void> {
    await this.database.transaction(
      async (tx) => {
        if (await this.exists(tx, roleName))
          for (const text of sql.dropRole(roleName)) await tx.manager.query(text);
        await tx.query(sql.endDrop, [roleName]);
      },
      { lockTimeoutMs: LOCK_TIMEOUT_MS },
    );
  }

  /** Returns the sessions on all servers that can be reached. */
  async sessions(): Promise<FoundSession[]> {
    const onReplicas = Array.from({ length: this.replicas.count }, async (_, replica) => {
      const found = await this.replicas.queryAt<SqlSession>(replica, sql.SESSIONS, []);
      return (found ?? []).map((session) => ({ ...session, replica }));
    });
    const onPrimary = await this.database.query<SqlSession>(sql.sessions, []);
    return [
      ...onPrimary.map((session) => ({ ...session, replica: null })),
      ...(await Promise.all(onReplicas)).flat(),
    ];
  }

  async endSession({ pid, startedAt, replica }: FoundSession): Promise<void> {
    if (replica === null) await this.database.query(sql.endSession, [pid, startedAt]);
    else await this.replicas.queryAt(replica, sql.END_SESSION, [pid, startedAt]);
  }

  async serverState(): Promise<SqlServerState> {
    const [row] = await this.database.query<SqlServerState>(serverState, []);
    if (!row) throw new Error('the database did not answer');
    return row;
  }

  /** Lines of pg_hba.conf that let a role in without a password; none if the server may not read it. */
  async openRules(roleName: string): Promise<number[]> {
    const [row] = await this.database.query<{ mayRead: boolean }>(mayReadRules, []);
    if (!row?.mayRead) return [];
    const rules = await this.database.query<{ line: number }>(openRules, [roleName]);
    return rules.map(({ line }) => line);
  }
}
