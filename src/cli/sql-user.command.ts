import type { INestApplicationContext } from '@nestjs/common';
import { systemClock } from '../../libs/kernel/index.js';
import { presentSqlUser } from '../exports/sql-users/sql-user.presenter.js';
import type { SqlUser } from '../exports/sql-users/sql-user.entity.js';
import { type SqlUserWithPassword, SqlUsersService } from '../exports/sql-users/sql-users.service.js';
import { type ProjectWrite, systemChange } from '../platform/audit/project-write.js';
import { ProjectsService } from '../workspace/projects/projects.service.js';
import { withApplication } from './application.js';
import { CommandFailed } from './command-failed.js';
import { print, shown } from './context.js';

export interface CreateSqlUserOptions {
  project: string;
  name: string;
  expires?: string;
  printSql?: boolean;
  json?: boolean;
}

const DAY_MS = 24 * 3_600_000;

const usersOf = (app: INestApplicationContext): SqlUsersService =>
  app.get(SqlUsersService, { strict: false });

const writeTo = (projectId: string): ProjectWrite => ({ ...systemChange, projectId });

/** @throws CommandFailed */
function expiryOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  if (days === undefined) throw new CommandFailed('--expires must be a number of days, such as 90d');
  return systemClock.nowMs() + Number(days) * DAY_MS;
}

/** @throws CommandFailed */
async function foundUser(users: SqlUsersService, id: string): Promise<SqlUser> {
  const user = (await users.all()).find((one) => one.id === id);
  if (!user) throw new CommandFailed(`There is no SQL user ${id}`);
  return user;
}

function json(user: SqlUser): object {
  return { project_id: user.projectId, ...presentSqlUser(user, systemClock.nowMs()) };
}

async function show(users: SqlUsersService, made: SqlUserWithPassword, asJson = false): Promise<void> {
  const { user, password, connectionUrl } = made;
  const warnings = await users.warnings(user);
  if (asJson) {
    print(JSON.stringify({ ...json(user), password, connection_url: connectionUrl, warnings }));
    return;
  }
  print(`${user.id}  ${shown(user.name)}`);
  print(connectionUrl);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
}

export function createSqlUser({
  project,
  name,
  expires,
  printSql,
  json,
}: CreateSqlUserOptions): Promise<void> {
  const expiresAtMs = expiryOf(expires);
  return withApplication(async (app) => {
    const users = usersOf(app);
    await app.get(ProjectsService, { strict: false }).get(project);
    const body = { name, expires_at: expiresAtMs };
    if (!printSql) return show(users, await users.create(writeTo(project), body), json);
    const { statements, user, connectionUrl } = await users.createForAdministrator(writeTo(project), body);
    // Only the statements are for the administrator.
    process.stderr.write(`${user.id}  ${shown(user.name)}\n${connectionUrl}\n`);
    print(statements.map((statement) => `${statement};`).join('\n'));
  });
}

export function listSqlUsers({ json: asJson }: { json?: boolean }): Promise<void> {
  return withApplication(async (app) => {
    for (const user of await usersOf(app).all()) {
      const { id, name, role_name: role, state } = presentSqlUser(user, systemClock.nowMs());
      print(asJson ? JSON.stringify(json(user)) : [id, user.projectId, role, state, shown(name)].join('  '));
    }
  });
}

export function rotateSqlUser(id: string, { json: asJson }: { json?: boolean }): Promise<void> {
  return withApplication(async (app) => {
    const users = usersOf(app);
    const { projectId } = await foundUser(users, id);
    await show(users, await users.rotate(writeTo(projectId), id), asJson);
  });
}

export function deleteSqlUser(id: string): Promise<void> {
  return withApplication(async (app) => {
    const users = usersOf(app);
    const { projectId, roleName } = await foundUser(users, id);
    await users.delete(writeTo(projectId), id);
    print(`Deleted ${id} (${roleName}).`);
  });
}
