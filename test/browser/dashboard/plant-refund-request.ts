import type { Dashboard } from './dashboard.js';

const HOUR_MS = 3_600_000;
let count = 0;

/** Stores a refund request of the App Store that waits for a person, changed by `fields`. Returns its id. */
export async function plantRefundRequest(
  { server, projectId }: Dashboard,
  appId: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = `rfrq${String(++count).padStart(16, '0')}`;
  const nowMs = server.clock.nowMs();
  const row = {
    project_id: projectId,
    id,
    app_id: appId,
    store: 'app_store',
    environment: 'production',
    store_request_key: id,
    transaction_id: '2000000123456789',
    reason: 'UNINTENDED_PURCHASE',
    requested_at: new Date(nowMs - HOUR_MS),
    received_at: new Date(nowMs - HOUR_MS),
    deadline_at: new Date(nowMs + 11.4 * HOUR_MS),
    due_at: new Date(nowMs + 10 * HOUR_MS),
    decided_by: 'policy',
    policy_name: 'All others',
    preference: 'neutral',
    answer_status: 'held',
    store_data: { kind: 'consumable', isOfBuyer: true },
    facts: { refund_reason: 'UNINTENDED_PURCHASE', price_usd: 9.99 },
    attempts: 0,
    amount_micros: 9_990_000,
    currency: 'USD',
    usd_micros: 9_990_000,
    ...fields,
  };
  const names = Object.keys(row);
  await server.dataSource.query(
    `INSERT INTO refund_requests (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return id;
}
