import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

export interface DayOfDeliveries {
  total: number;
  /** Deliveries attempted at least once; includes the next two. */
  attempted: number;
  delivered: number;
  /** Out of retries, or waiting for a retry. */
  failed: number;
  /** All waiting deliveries, whatever their day. */
  pending: number;
}

/** Counts of one integration, each limited to a maximum number of deliveries. */
export interface IntegrationCounts extends Pick<DayOfDeliveries, 'delivered' | 'failed' | 'pending'> {
  id: string;
  skipped: number;
  /** Deliveries that wait for an attribute, whatever their day. */
  waiting: number;
  /** The endpoint refused the credentials of a pending delivery. */
  hasRefusedKey: boolean;
}

/** An integration whose last attempted delivery failed. */
export interface FailingIntegration {
  id: string;
  name: string;
  url: string;
  lastStatus: number | null;
  lastError: string | null;
  lastAttemptAt: Date | null;
  deliveryStatus: 'pending' | 'failed';
}

/** True for a delivery to a webhook of the project $1 that exists. */
const isToWebhook = (delivery: string): string => `${delivery}.webhook_integration_id IN (
     SELECT id FROM webhook_integrations WHERE project_id = $1 AND type = 'webhook')`;

const since = statement(
  'webhook_health.since',
  `SELECT (SELECT count(*) FROM webhook_integrations WHERE project_id = $1 AND type = 'webhook') AS total,
     count(*) FILTER (WHERE d.attempts > 0) AS attempted,
     count(*) FILTER (WHERE d.status = 'delivered') AS delivered,
     count(*) FILTER (WHERE d.attempts > 0 AND d.status <> 'delivered') AS failed,
     (SELECT count(*) FROM webhook_deliveries p WHERE p.project_id = $1 AND p.status = 'pending'
        AND ${isToWebhook('p')}) AS pending
   FROM webhook_deliveries d WHERE d.project_id = $1 AND d.created_at >= $2 AND ${isToWebhook('d')}`,
);

const failing = statement(
  'webhook_health.failing',
  `SELECT w.id, w.name, w.url, last.response_status AS "lastStatus", last.last_error AS "lastError",
     last.last_attempt_at AS "lastAttemptAt", last.status AS "deliveryStatus"
   FROM webhook_integrations w CROSS JOIN LATERAL (
     SELECT d.response_status, d.last_error, d.last_attempt_at, d.status FROM webhook_deliveries d
     WHERE d.project_id = $1 AND d.webhook_integration_id = w.id AND d.attempts > 0
     ORDER BY d.created_at DESC, d.id LIMIT 1) last
   WHERE w.project_id = $1 AND w.type = 'webhook' AND w.enabled AND last.status <> 'delivered'
   ORDER BY w.created_at, w.id`,
);

/** Counts for the integrations $2 since $3, at $5; reads at most $4 rows of each integration per count. */
const byIntegration = statement(
  'webhook_health.by_integration',
  `SELECT w.id, day.delivered, day.failed, day.skipped, open.pending, open.refused AS "hasRefusedKey", held.waiting
   FROM webhook_integrations w
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE d.status = 'delivered')::int AS delivered,
       count(*) FILTER (WHERE d.attempts > 0 AND d.status IN ('pending', 'failed'))::int AS failed,
       count(*) FILTER (WHERE d.status = 'skipped' OR d.status = 'waiting' AND d.wait_until <= $5)::int AS skipped
     FROM (
       SELECT d.status, d.attempts, d.wait_until FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.webhook_integration_id = w.id AND d.created_at >= $3
       ORDER BY d.created_at DESC, d.id LIMIT $4) d) day
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS pending, coalesce(bool_or(d.reason = 'refused_key'), false) AS refused FROM (
       SELECT d.reason FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.webhook_integration_id = w.id AND d.status = 'pending' LIMIT $4) d) open
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS waiting FROM (
       SELECT 1 FROM webhook_deliveries d
       WHERE d.project_id = $1 AND d.webhook_integration_id = w.id AND d.status = 'waiting'
         AND d.wait_until > $5 LIMIT $4) d) held
   WHERE w.project_id = $1 AND w.id = ANY ($2)`,
);

@Injectable()
export class DeliveryHealthRepository {
  constructor(private readonly database: DatabaseService) {}

  async since(projectId: string, from: Date): Promise<DayOfDeliveries> {
    const [day] = await this.database.query<DayOfDeliveries>(since, [projectId, from]);
    if (!day) throw new Error('figures are always one row');
    return day;
  }

  byIntegration(
    projectId: string,
    ids: string[],
    { from, now }: { from: Date; now: Date },
    atMost: number,
  ): Promise<IntegrationCounts[]> {
    return this.database.forReading.query(byIntegration, [projectId, ids, from, atMost, now]);
  }

  failing(projectId: string): Promise<FailingIntegration[]> {
    return this.database.query(failing, [projectId]);
  }
}
