import { Injectable } from '@nestjs/common';
import type { RetentionAnswer } from '../../../../libs/stores/index.js';
import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { acrossProjects, statement } from '../../../platform/database/statement.js';
import type { RetentionRequest } from './retention-request.entity.js';
import { cleanUp, deletionOf } from '../../../platform/jobs/batches.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

/** Thirteen months. */
const KEPT_MS = 396 * 86_400_000;

export type NewRetentionRequest = Omit<RetentionRequest, 'autoRenewAfter24h' | 'renewed'>;
export type RetentionPlace = Pick<RetentionRequest, 'projectId' | 'appId' | 'environment'>;
export type RequestPlace = Pick<RetentionRequest, 'projectId' | 'appId' | 'requestIdentifier'>;

/** Numbers of requests by what became of their subscriptions. */
export interface RetentionCounts {
  ruleId: string | null;
  asked: number;
  /** Requests whose subscription was checked after a day, and those that were still to renew. */
  checked: number;
  autoRenewing: number;
  /** Requests whose period has ended, and those that renewed. */
  ended: number;
  renewed: number;
}

const insert = statement(
  'retention_requests.insert',
  `INSERT INTO retention_requests (project_id, app_id, request_identifier, environment, subscription_id, rule_id, answer,
     at, period_ends_at, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10)
   ON CONFLICT (project_id, app_id, request_identifier) DO NOTHING`,
);

const findAnswer = statement(
  'retention_requests.find_answer',
  `SELECT answer FROM retention_requests WHERE project_id = $1 AND app_id = $2 AND request_identifier = $3`,
);

const dueProjects = acrossProjects(
  'retention_requests.due_projects',
  `SELECT DISTINCT project_id AS "projectId" FROM (
     SELECT r.project_id FROM retention_requests r
     WHERE r.due_at <= $1 AND ${isHere('r.project_id')} ORDER BY r.due_at LIMIT $2) due`,
);

const claimDue = statement(
  'retention_requests.claim_due',
  `SELECT app_id AS "appId", request_identifier AS "requestIdentifier", subscription_id AS "subscriptionId",
     period_ends_at AS "periodEndsAt", auto_renew_after_24h AS "autoRenewAfter24h"
   FROM retention_requests WHERE project_id = $1 AND due_at <= $2
   ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
);

const recordOutcome = statement(
  'retention_requests.record_outcome',
  `UPDATE retention_requests SET auto_renew_after_24h = $4, renewed = $5, due_at = $6
   WHERE project_id = $1 AND app_id = $2 AND request_identifier = $3`,
);

const countByRule = statement(
  'retention_requests.count_by_rule',
  `SELECT rule_id AS "ruleId", count(*)::int AS asked, count(auto_renew_after_24h)::int AS checked,
     count(*) FILTER (WHERE auto_renew_after_24h)::int AS "autoRenewing",
     count(renewed)::int AS ended, count(*) FILTER (WHERE renewed)::int AS renewed
   FROM retention_requests
   WHERE project_id = $1 AND app_id = $2 AND environment = $3 AND at >= $4 AND at < $5
   GROUP BY rule_id`,
);

const deleteOld = deletionOf('retention_requests.delete_old', {
  table: 'retention_requests',
  key: ['project_id', 'app_id', 'request_identifier'],
  isOld: (row) => `${row}.at <= $1`,
  orderBy: 'at',
});

/** A request whose subscription is due to be looked at. */
export type DueRequest = Pick<
  RetentionRequest,
  'appId' | 'requestIdentifier' | 'subscriptionId' | 'periodEndsAt' | 'autoRenewAfter24h'
>;
export type RetentionOutcome = Pick<RetentionRequest, 'autoRenewAfter24h' | 'renewed' | 'dueAt'>;

@Injectable()
export class RetentionRequestsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Does nothing if the request is stored already. */
  async insert(request: NewRetentionRequest): Promise<void> {
    const { projectId, appId, requestIdentifier, environment, subscriptionId, ruleId, answer } = request;
    await this.database.query(insert, [
      projectId,
      appId,
      requestIdentifier,
      environment,
      subscriptionId,
      ruleId,
      answer && JSON.stringify(answer),
      request.at,
      request.periodEndsAt,
      request.dueAt,
    ]);
  }

  /** Undefined for a request that is not stored. */
  async findAnswer(place: RequestPlace): Promise<RetentionAnswer | null | undefined> {
    const { projectId, appId, requestIdentifier } = place;
    const values = [projectId, appId, requestIdentifier];
    const [row] = await this.database.query<{ answer: RetentionAnswer | null }>(findAnswer, values);
    return row?.answer;
  }

  async dueProjects(now: Date, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ projectId: string }>(dueProjects, [now, limit]);
    return rows.map(({ projectId }) => projectId);
  }

  /** Locks the rows until the transaction ends. Skips those of other replicas. */
  claimDue(tx: Transaction, projectId: string, now: Date, limit: number): Promise<DueRequest[]> {
    return tx.query<DueRequest>(claimDue, [projectId, now, limit]);
  }

  async recordOutcome(
    tx: Transaction,
    { projectId, appId, requestIdentifier }: RequestPlace,
    { autoRenewAfter24h, renewed, dueAt }: RetentionOutcome,
  ): Promise<void> {
    const values = [projectId, appId, requestIdentifier, autoRenewAfter24h, renewed, dueAt];
    await tx.query(recordOutcome, values);
  }

  countByRule(
    { projectId, appId, environment }: RetentionPlace,
    from: Date,
    to: Date,
  ): Promise<RetentionCounts[]> {
    return this.database.forReading.query<RetentionCounts>(countByRule, [
      projectId,
      appId,
      environment,
      from,
      to,
    ]);
  }

  @Cleanup('retention_requests_retention', KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }
}
