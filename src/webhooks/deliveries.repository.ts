import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

/** A delivery this process has the lease of, with everything its attempt needs. */
export interface ClaimedDelivery {
  projectId: string;
  id: string;
  createdAt: Date;
  webhookIntegrationId: string;
  attempts: number;
  url: string;
  sealedSigningSecret: string;
  sealedAuthorizationHeader: string | null;
  /** JSON text of the event, exactly as it was recorded. */
  event: string;
  /** When the attempt was due. */
  dueAt: Date;
}

export interface AttemptResult {
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: Date | null;
  responseStatus: number | null;
  responseMs: number | null;
  lastError: string | null;
}

/** How many due rows are looked at for one batch: enough to find other endpoints behind a busy one. */
const LOOK_AHEAD = 1000;

/**
 * Takes due deliveries of enabled integrations and leases them until $2: at most $3 in all and, for each
 * integration, what it has free ($4 and $5: integrations being sent to and their free slots; $6 for the
 * others). A lease that ends makes the row due again.
 */
const claim = statement(
  'deliveries.claim',
  `WITH due AS (
     SELECT d.project_id, d.created_at, d.id, d.webhook_integration_id, d.next_attempt_at
     FROM webhook_deliveries d
     JOIN webhook_integrations w ON w.project_id = d.project_id AND w.id = d.webhook_integration_id AND w.enabled
     WHERE d.status = 'pending' AND d.next_attempt_at <= $1 AND d.webhook_integration_id <> ALL ($7::text[])
     ORDER BY d.next_attempt_at LIMIT ${LOOK_AHEAD}
   ), ranked AS (
     SELECT due.*, row_number() OVER (PARTITION BY webhook_integration_id ORDER BY next_attempt_at) AS place FROM due
   ), free AS (
     SELECT * FROM unnest($4::text[], $5::int[]) AS f(webhook_integration_id, slots)
   ), wanted AS (
     SELECT r.* FROM ranked r LEFT JOIN free f USING (webhook_integration_id)
     WHERE r.place <= coalesce(f.slots, $6::int) ORDER BY r.next_attempt_at LIMIT $3
   ), taken AS (
     SELECT d.project_id, d.created_at, d.id, d.next_attempt_at FROM webhook_deliveries d
     JOIN wanted USING (project_id, created_at, id)
     WHERE d.status = 'pending' AND d.next_attempt_at <= $1
     FOR UPDATE OF d SKIP LOCKED
   ), leased AS (
     UPDATE webhook_deliveries d SET next_attempt_at = $2, lease_until = $2
     FROM taken t WHERE d.project_id = t.project_id AND d.created_at = t.created_at AND d.id = t.id
     RETURNING d.*, t.next_attempt_at AS due_at
   )
   SELECT l.project_id AS "projectId", l.id, l.created_at AS "createdAt",
     l.webhook_integration_id AS "webhookIntegrationId", l.attempts, w.url,
     w.sealed_signing_secret AS "sealedSigningSecret", w.sealed_authorization_header AS "sealedAuthorizationHeader",
     e.body::text AS event, l.due_at AS "dueAt"
   FROM leased l
   JOIN webhook_integrations w ON w.project_id = l.project_id AND w.id = l.webhook_integration_id
   JOIN events e ON e.project_id = l.project_id AND e.created_at = l.event_created_at AND e.id = l.event_id`,
);

/** Only the holder of the lease writes: after a lost lease somebody else's attempt counts. */
const finish = statement(
  'deliveries.finish',
  `UPDATE webhook_deliveries SET status = $5, attempts = $6, next_attempt_at = $7, lease_until = NULL,
     response_status = $8, response_ms = $9, last_error = $10
   WHERE project_id = $1 AND created_at = $2 AND id = $3 AND lease_until = $4`,
);

const oldestDue = statement(
  'deliveries.oldest_due',
  `SELECT min(next_attempt_at) AS "dueAt" FROM webhook_deliveries WHERE status = 'pending' AND lease_until IS NULL`,
);

export interface ClaimLimits {
  total: number;
  /** Free slots of integrations that are being sent to now. */
  freeSlots: Map<string, number>;
  /** Free slots of all other integrations. */
  defaultSlots: number;
}

/** Queries of the webhook dispatcher. */
@Injectable()
export class DeliveriesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  claim(
    now: Date,
    leaseUntil: Date,
    { total, freeSlots, defaultSlots }: ClaimLimits,
  ): Promise<ClaimedDelivery[]> {
    const full = [...freeSlots].filter(([, slots]) => slots === 0).map(([id]) => id);
    const values = [
      now,
      leaseUntil,
      total,
      [...freeSlots.keys()],
      [...freeSlots.values()],
      defaultSlots,
      full,
    ];
    return this.database.query(claim, values);
  }

  async finish(delivery: ClaimedDelivery, leaseUntil: Date, result: AttemptResult): Promise<void> {
    await this.database.query(finish, [
      delivery.projectId,
      delivery.createdAt,
      delivery.id,
      leaseUntil,
      result.status,
      result.attempts,
      result.nextAttemptAt,
      result.responseStatus,
      result.responseMs,
      result.lastError,
    ]);
  }

  /** When the delivery that has waited longest was due; null when none waits. */
  async oldestDue(): Promise<Date | null> {
    return (await this.database.query<{ dueAt: Date | null }>(oldestDue, []))[0]?.dueAt ?? null;
  }
}
