import { Injectable } from '@nestjs/common';
import type { RefundFacts, RefundPreference } from '../../../../libs/targeting/index.js';
import { DatabaseService, type Reader } from '../../../platform/database/database.service.js';
import { Narrowing } from '../../../platform/database/narrowing.js';
import type { RefundRequest } from '../refund-request.entity.js';

/** Null fields do not filter. */
export interface ReportedRequests {
  from: Date;
  /** Excluded. */
  to: Date;
  environment: string;
  store: string | null;
  appId: string | null;
}

/** Figures of all requests in a range, or of those that share a policy, a reason or a store. */
export interface RefundFigures {
  /** The property that the requests share. */
  sharedBy: 'all' | 'policy' | 'reason' | 'store';
  /** Policy id, reason or store; null for requests without one. */
  id: string | null;
  requests: number;
  sent: number;
  notWanted: number;
  refused: number;
  expired: number;
  refunded: number;
  partiallyRefunded: number;
  declined: number;
  reversed: number;
  open: number;
  requestedMicros: number;
  refundedMicros: number;
}

/** A request that policies decided about, or would have. */
export interface PreviewedRequest extends Pick<RefundRequest, 'id' | 'store' | 'requestedAt' | 'usdMicros'> {
  facts: RefundFacts;
  preference: RefundPreference;
  isDecidedByPerson: boolean;
}

/** Values by segment of a chart. */
const segmentColumns = {
  refund_reason: `COALESCE(r.reason, 'NONE')`,
  product: `COALESCE(r.product_id, '')`,
  app: 'r.app_id',
  policy: `COALESCE(r.policy_name, '')`,
  answer: 'r.answer_status',
} as const;
export type RefundSegment = keyof typeof segmentColumns;

/** Null: all stores; no segments. */
export interface ChartedRequests {
  from: Date;
  /** Excluded. */
  to: Date;
  environment: string;
  stores: string[] | null;
  segment: RefundSegment | null;
}

/** Numbers of requests made on a day (UTC), by the decision of the store. */
export interface RefundsOfDay {
  day: string;
  /** Empty: unknown, or without segments. */
  segment: string;
  refunds_granted: number;
  refunds_declined: number;
  refunds_reversed: number;
  refunds_open: number;
}

const answered = (status: string): string => `(count(*) FILTER (WHERE r.answer_status = '${status}'))::int`;
const ended = (outcomes: string): string => `(count(*) FILTER (WHERE ${outcomes}))::int`;
const isRefunded = `r.outcome IN ('refunded', 'partially_refunded')`;
const isOpen = `r.outcome IS NULL OR r.outcome = 'no_resolution'`;

/** Money in USD is a sum of bigints, below 2^53. */
const figures = `
  CASE GROUPING(r.policy_id, r.reason, r.store)
    WHEN 3 THEN 'policy' WHEN 5 THEN 'reason' WHEN 6 THEN 'store' ELSE 'all' END AS "sharedBy",
  COALESCE(r.policy_id, r.reason, r.store) AS id,
  count(*)::int AS requests,
  ${answered('sent')} AS sent,
  ${answered('not_wanted')} AS "notWanted",
  ${answered('refused')} AS refused,
  ${answered('expired')} AS expired,
  ${ended(isRefunded)} AS refunded,
  ${ended(`r.outcome = 'partially_refunded'`)} AS "partiallyRefunded",
  ${ended(`r.outcome = 'declined'`)} AS declined,
  ${ended(`r.outcome = 'reversed'`)} AS reversed,
  ${ended(isOpen)} AS open,
  COALESCE(sum(r.usd_micros), 0)::float8 AS "requestedMicros",
  COALESCE(sum(r.refunded_usd_micros) FILTER (WHERE ${isRefunded}), 0)::float8 AS "refundedMicros"`;

@Injectable()
export class RefundReportsRepository {
  constructor(private readonly database: DatabaseService) {}

  figures(
    projectId: string,
    { from, to, environment, store, appId }: ReportedRequests,
  ): Promise<RefundFigures[]> {
    const narrowing = new Narrowing('refund_requests.figures', [projectId, from, to, environment]);
    const conditions = [
      narrowing.when('store', store, (value) => `r.store = ${value}`),
      narrowing.when('app_id', appId, (value) => `r.app_id = ${value}`),
    ];
    const text = `SELECT ${figures} FROM refund_requests r
      WHERE r.project_id = $1 AND r.requested_at >= $2 AND r.requested_at < $3 AND r.environment = $4${conditions.join('')}
      GROUP BY GROUPING SETS ((), (r.policy_id), (r.reason), (r.store)) ORDER BY requests DESC, id`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  /** Requests by day; the time is that of the snapshot. */
  outcomesByDay(snapshot: Reader, projectId: string, charted: ChartedRequests): Promise<RefundsOfDay[]> {
    const { from, to, environment, stores, segment } = charted;
    const name = `refund_requests.outcomes_by_day+${segment ?? 'all'}`;
    const narrowing = new Narrowing(name, [projectId, from, to, environment]);
    const ofStores = narrowing.when('stores', stores, (value) => `r.store = ANY (${value}::text[])`);
    const text = `SELECT to_char(r.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
        ${segment === null ? `''` : segmentColumns[segment]} AS segment,
        ${ended(isRefunded)} AS refunds_granted,
        ${ended(`r.outcome = 'declined'`)} AS refunds_declined,
        ${ended(`r.outcome = 'reversed'`)} AS refunds_reversed,
        ${ended(isOpen)} AS refunds_open
      FROM refund_requests r
      WHERE r.project_id = $1 AND r.requested_at >= $2 AND r.requested_at < $3 AND r.environment = $4${ofStores}
      GROUP BY 1, 2`;
    return snapshot.query(narrowing.statement(text), narrowing.values);
  }

  /** Requests in production that policies decide about, with the values of that time, newest first. */
  previewed(
    projectId: string,
    since: Date,
    after: Pick<PreviewedRequest, 'requestedAt' | 'id'> | null,
    limit: number,
  ): Promise<PreviewedRequest[]> {
    const narrowing = new Narrowing('refund_requests.previewed', [projectId, since, limit]);
    const behind = narrowing.behind(['r.requested_at', 'r.id'], after && [after.requestedAt, after.id]);
    const text = `SELECT r.id, r.store, r.requested_at AS "requestedAt", r.usd_micros AS "usdMicros", r.facts,
        r.preference, r.decided_by = 'person' AS "isDecidedByPerson"
      FROM refund_requests r
      WHERE r.project_id = $1 AND r.requested_at >= $2 AND r.environment = 'production' AND r.facts IS NOT NULL
        AND (r.decided_by IN ('policy', 'person')
          OR r.decided_by = 'setting' AND (r.answer_reason IS NULL OR r.answer_reason = 'off'))${behind}
      ORDER BY r.requested_at DESC, r.id DESC LIMIT $3`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }
}
