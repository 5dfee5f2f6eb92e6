import { Injectable } from '@nestjs/common';
import type { VariantId } from '../../../libs/targeting/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export interface EnrollmentWrite {
  customerId: string;
  experimentId: string;
  variant: VariantId;
  enrolledAtMs: number;
  appUserId: string;
  appId: string;
  platform: string | null;
  country: string | null;
  isSandbox: boolean;
}

/** A replica may still believe that an ended experiment is running. */
const running = statement(
  'enrollments.running_experiments',
  `SELECT id FROM experiments WHERE project_id = $1 AND id = ANY ($2::text[]) AND status = 'running'`,
);

const insert = statement(
  'enrollments.insert',
  `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at, app_user_id, app_id,
     platform, country, is_sandbox)
   SELECT a.project_id, r."customerId", r."experimentId", r.variant, to_timestamp(r."enrolledAtMs" / 1000.0), r."appUserId",
     r."appId", r.platform, r.country, r."isSandbox"
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS r("customerId" text, "experimentId" text, variant text, "enrolledAtMs" bigint,
     "appUserId" text, "appId" text, platform text, country text, "isSandbox" boolean)
   WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT (project_id, customer_id, experiment_id) DO NOTHING
   RETURNING customer_id AS "customerId"`,
);

const overrides = statement(
  'enrollments.overrides',
  `SELECT id AS "customerId", current_offering_override AS "offeringId" FROM customers
   WHERE project_id = $1 AND id = ANY ($2::text[]) AND current_offering_override IS NOT NULL`,
);

@Injectable()
export class EnrollmentsRepository {
  /** Returns the ids of the customers who were enrolled. */
  async insert(tx: Transaction, projectId: string, rows: EnrollmentWrite[]): Promise<Set<string>> {
    const ids = [...new Set(rows.map(({ experimentId }) => experimentId))];
    const found = await tx.query<{ id: string }>(running, [projectId, ids]);
    const open = rows.filter(({ experimentId }) => found.some(({ id }) => id === experimentId));
    if (open.length === 0) return new Set();
    const joined = await tx.query<{ customerId: string }>(insert, [projectId, JSON.stringify(open)]);
    return new Set(joined.map(({ customerId }) => customerId));
  }

  /** Returns the own current offerings of locked customers, by customer id. */
  async overrides(tx: Transaction, projectId: string, customerIds: string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ customerId: string; offeringId: string }>(overrides, [
      projectId,
      customerIds,
    ]);
    return new Map(rows.map(({ customerId, offeringId }) => [customerId, offeringId]));
  }
}
