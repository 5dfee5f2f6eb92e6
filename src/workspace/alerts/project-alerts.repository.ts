import { Injectable } from '@nestjs/common';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import type { AlertNews } from './alert-mails.policy.js';
import { ALERT_CAUSES, type AlertDetails, type AlertKey } from './project-alert.js';
import type { ProjectAlert } from './project-alert.entity.js';

export interface AlertRecipient {
  userId: string;
  email: string;
  projectName: string;
}

const ofAlert = 'a.project_id = $1 AND a.cause = $2 AND a.subject_id = $3';

const columns = `a.project_id AS "projectId", a.cause, a.subject_id AS "subjectId", a.details, a.opened_at AS "openedAt",
  a.resolved_at AS "resolvedAt", a.is_reported AS "isReported", a.problem_mailed_at AS "problemMailedAt",
  a.recovery_mailed_at AS "recoveryMailedAt"`;

/** Returns no row if the alert is already open, or the project is deleted. */
const open = statement(
  'project_alerts.open',
  `INSERT INTO project_alerts AS a (project_id, cause, subject_id, app_id, details, opened_at)
   SELECT p.id, $2, $3, CASE WHEN $2 IN ('credentials_refused', 'notifications_silent') THEN $3 END, $4::json, $5 FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL
   ON CONFLICT (project_id, cause, subject_id) DO UPDATE
     SET details = EXCLUDED.details, opened_at = EXCLUDED.opened_at, resolved_at = NULL
     WHERE a.resolved_at IS NOT NULL
   RETURNING ${columns}`,
);

const update = statement(
  'project_alerts.update',
  `UPDATE project_alerts a SET details = $4::json WHERE ${ofAlert} AND a.resolved_at IS NULL RETURNING ${columns}`,
);

const resolve = statement(
  'project_alerts.resolve',
  `UPDATE project_alerts a SET resolved_at = $4 WHERE ${ofAlert} AND a.resolved_at IS NULL RETURNING ${columns}`,
);

const withdraw = statement(
  'project_alerts.withdraw',
  `UPDATE project_alerts a SET resolved_at = coalesce(a.resolved_at, $4), is_reported = false WHERE ${ofAlert}`,
);

const problemMailed = statement(
  'project_alerts.problem_mailed',
  `UPDATE project_alerts a SET problem_mailed_at = $4, is_reported = $5 WHERE ${ofAlert}`,
);

const recoveryMailed = statement(
  'project_alerts.recovery_mailed',
  `UPDATE project_alerts a SET recovery_mailed_at = $4, is_reported = false WHERE ${ofAlert}`,
);

/** Alerts with news not mailed yet, the longest waiting first. */
/** $1: causes that this version can mail; a newer version, running beside it during an upgrade, may open others. */
const unreported = acrossProjects(
  'project_alerts.unreported',
  `SELECT ${columns} FROM project_alerts a
   WHERE (a.resolved_at IS NULL) <> a.is_reported AND a.cause = ANY($1) AND ${isHere('a.project_id')}
   ORDER BY greatest(a.problem_mailed_at, a.recovery_mailed_at) NULLS FIRST LIMIT 1000`,
);

/** Returns no row if another process is working on it. */
const lock = statement(
  'project_alerts.lock',
  `SELECT ${columns} FROM project_alerts a WHERE ${ofAlert} AND ${isHere('$1')} FOR UPDATE SKIP LOCKED`,
);

/** $2: only confirmed addresses. */
const recipients = statement(
  'project_alerts.recipients',
  `SELECT u.id AS "userId", u.email, p.name AS "projectName"
   FROM project_members m JOIN users u ON u.id = m.user_id
   JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.role IN ('admin', 'developer') AND u.alert_emails AND (u.email_verified OR NOT $2)
   ORDER BY m.accepted_at, m.user_id`,
);

const admins = statement(
  'project_alerts.admins',
  `SELECT u.id AS "userId", u.email, p.name AS "projectName"
   FROM project_members m JOIN users u ON u.id = m.user_id
   JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.role = 'admin'
   ORDER BY m.accepted_at, m.user_id`,
);

const countOpen = statement(
  'project_alerts.count_open',
  'SELECT count(*)::int AS count FROM project_alerts a WHERE a.project_id = $1 AND a.resolved_at IS NULL',
);

/** Alerts resolved before $1. */
const prune = statement(
  'project_alerts.prune',
  `DELETE FROM project_alerts a WHERE a.resolved_at < $1 AND NOT a.is_reported`,
);

function keyOf({ projectId, cause, subjectId }: AlertKey): unknown[] {
  return [projectId, cause, subjectId];
}

@Injectable()
export class ProjectAlertsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns null if it was open, or the project is deleted. */
  async open(tx: Transaction, key: AlertKey, details: AlertDetails, now: Date): Promise<ProjectAlert | null> {
    const [alert] = await tx.query<ProjectAlert>(open, [...keyOf(key), JSON.stringify(details), now]);
    return alert ?? null;
  }

  /** Returns null if it is not open. */
  async update(tx: Transaction, key: AlertKey, details: AlertDetails): Promise<ProjectAlert | null> {
    const [alert] = await tx.query<ProjectAlert>(update, [...keyOf(key), JSON.stringify(details)]);
    return alert ?? null;
  }

  /** Returns null if it was not open. */
  async resolve(tx: Transaction, key: AlertKey, now: Date): Promise<ProjectAlert | null> {
    const [alert] = await tx.query<ProjectAlert>(resolve, [...keyOf(key), now]);
    return alert ?? null;
  }

  async withdraw(tx: Transaction, key: AlertKey, now: Date): Promise<void> {
    await tx.query(withdraw, [...keyOf(key), now]);
  }

  async mailed(
    tx: Transaction,
    key: AlertKey,
    news: AlertNews,
    isReported: boolean,
    now: Date,
  ): Promise<void> {
    if (news === 'recovery') await tx.query(recoveryMailed, [...keyOf(key), now]);
    else await tx.query(problemMailed, [...keyOf(key), now, isReported]);
  }

  unreported(): Promise<ProjectAlert[]> {
    return this.database.query(unreported, [ALERT_CAUSES]);
  }

  async lock(tx: Transaction, key: AlertKey): Promise<ProjectAlert | null> {
    const [alert] = await tx.query<ProjectAlert>(lock, keyOf(key));
    return alert ?? null;
  }

  /** Returns admins and developers who want mails about problems; none if the project is deleted. */
  recipients(
    tx: Transaction,
    projectId: string,
    { onlyVerified }: { onlyVerified: boolean },
  ): Promise<AlertRecipient[]> {
    return tx.query(recipients, [projectId, onlyVerified]);
  }

  admins(tx: Transaction, projectId: string): Promise<AlertRecipient[]> {
    return tx.query(admins, [projectId]);
  }

  async countOpen(projectId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(countOpen, [projectId]);
    return row?.count ?? 0;
  }

  async prune(before: Date): Promise<void> {
    await this.database.query(prune, [before]);
  }
}
