import type { DataSource } from 'typeorm';
import type { RefundFacts } from '../../libs/targeting/index.js';

/** A refund request as the database has it; absent columns are those of a request of November 2026 that is sent. */
export interface StoredRefundRequest {
  id: string;
  day: number;
  store?: 'app_store' | 'play_store';
  environment?: 'production' | 'sandbox';
  reason?: string | null;
  usd?: number;
  policyId?: string | null;
  decidedBy?: 'policy' | 'setting' | 'customer_attribute' | 'person';
  preference?: string;
  answerStatus?: string;
  answerReason?: string | null;
  outcome?: string | null;
  outcomeDay?: number | null;
  refundedUsd?: number | null;
  facts?: RefundFacts | null;
}

const november = (day: number): Date => new Date(Date.UTC(2026, 10, day, 12));
const micros = (usd: number): number => Math.round(usd * 1e6);

/** Two fixed answers, two that were not wanted, and three of which one is refunded in part: seven requests. */
export const sevenRequests: readonly StoredRefundRequest[] = [
  {
    id: 'r1',
    day: 2,
    reason: 'UNINTENDED_PURCHASE',
    preference: 'grant_full',
    outcome: 'refunded',
    outcomeDay: 3,
    refundedUsd: 9.99,
  },
  { id: 'r2', day: 2, reason: 'OTHER', outcome: 'declined', outcomeDay: 3 },
  {
    id: 'r3',
    day: 3,
    reason: 'UNSATISFIED_WITH_PURCHASE',
    usd: 59.99,
    outcome: 'partially_refunded',
    outcomeDay: 4,
    refundedUsd: 23.996,
  },
  {
    id: 'r4',
    day: 4,
    reason: null,
    usd: 4.99,
    preference: 'do_not_answer',
    answerStatus: 'not_wanted',
    answerReason: 'policy',
    outcome: 'reversed',
    outcomeDay: 7,
    refundedUsd: 4.99,
  },
  {
    id: 'r5',
    day: 5,
    reason: 'FULFILLMENT_ISSUE',
    policyId: null,
    decidedBy: 'setting',
    preference: 'do_not_answer',
    answerStatus: 'not_wanted',
    answerReason: 'no_consent',
  },
  { id: 'r6', day: 6, store: 'play_store', reason: 'CHARGEBACK', usd: 19.99 },
  {
    id: 'r7',
    day: 7,
    store: 'play_store',
    reason: 'CHARGEBACK',
    outcome: 'refunded',
    outcomeDay: 20,
    refundedUsd: 9.99,
  },
];

/** Stores requests without the notifications of a store. */
export async function storeRefundRequests(
  dataSource: DataSource,
  place: { projectId: string; apps: Record<'app_store' | 'play_store', string>; policyId: string },
  requests: readonly StoredRefundRequest[],
): Promise<void> {
  for (const { id, day, ...request } of requests) {
    const { store = 'app_store', environment = 'production', reason = 'OTHER', usd = 9.99 } = request;
    const { decidedBy = 'policy', preference = 'decline', answerStatus = 'sent', answerReason } = request;
    const { policyId = place.policyId, outcome, outcomeDay, refundedUsd, facts } = request;
    const at = november(day);
    await dataSource.query(
      `INSERT INTO refund_requests (project_id, id, app_id, store, environment, store_request_key, reason,
         requested_at, received_at, deadline_at, policy_id, decided_by, preference, answer_status, answer_reason,
         outcome, outcome_at, amount_micros, currency, usd_micros, refunded_micros, refunded_usd_micros, facts,
         attempts)
       VALUES ($1, $2, $3, $4, $5, $2, $6, $7, $7, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'USD', $15, $16, $16,
         $17, 1)`,
      [
        place.projectId,
        id,
        place.apps[store],
        store,
        environment,
        reason,
        at,
        policyId,
        decidedBy,
        preference,
        answerStatus,
        answerReason ?? null,
        outcome ?? null,
        outcomeDay ? november(outcomeDay) : null,
        micros(usd),
        refundedUsd ? micros(refundedUsd) : null,
        facts ? JSON.stringify(facts) : null,
      ],
    );
  }
}
