import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import type { Device } from './device.js';

export type Origin = Pick<Device, 'country' | 'platform' | 'appVersion'>;

export interface LastSeenUpdate extends Device {
  projectId: string;
  customerId: string;
  seenAtMs: number;
  /** The first values to be written; the device contains the latest ones. */
  first: Origin;
}

export interface SeenDay {
  projectId: string;
  customerId: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
}

/** Set at creation; empty only if the customer was created without an SDK. */
const firstSeen = (field: string, sent: string): string =>
  `first_seen_${field} = coalesce(c.first_seen_${field}, s.first ->> '${sent}')`;

const updateLastSeen = statement(
  'customers.update_last_seen',
  `UPDATE customers c SET
     last_seen_at = greatest(c.last_seen_at, to_timestamp(s."seenAtMs" / 1000.0)),
     last_seen_platform = coalesce(s.platform, c.last_seen_platform),
     last_seen_platform_flavor = CASE WHEN s."sdkVersion" IS NULL THEN c.last_seen_platform_flavor
       ELSE s."platformFlavor" END,
     last_seen_sdk_version = coalesce(s."sdkVersion", c.last_seen_sdk_version),
     last_seen_platform_version = coalesce(s."platformVersion", c.last_seen_platform_version),
     last_seen_app_version = coalesce(s."appVersion", c.last_seen_app_version),
     last_seen_country = coalesce(s.country, c.last_seen_country),
     ${firstSeen('country', 'country')}, ${firstSeen('platform', 'platform')},
     ${firstSeen('app_version', 'appVersion')}
   FROM json_to_recordset($2::json) AS s("customerId" text, "seenAtMs" bigint, platform text,
     "platformFlavor" text, "sdkVersion" text, "platformVersion" text, "appVersion" text, country text, first json)
   WHERE c.project_id = $1 AND c.id = s."customerId"`,
);

/**
 * Only for customers that still exist: a merged or deleted one needs no row, and must not make the others' rows fail.
 * Locked in a consistent order, so that replicas do not deadlock.
 */
const insertDays = statement(
  'customers.note_days',
  `INSERT INTO customer_days (project_id, customer_id, day)
   SELECT c.project_id, c.id, s.day FROM json_to_recordset($2::json) AS s("customerId" text, day date)
   JOIN customers c ON c.project_id = $1 AND c.id = s."customerId"
   ORDER BY c.id FOR KEY SHARE OF c
   ON CONFLICT (project_id, customer_id, day) DO NOTHING`,
);

const daysSeen = statement(
  'customers.days_seen',
  `SELECT d.day::text AS day FROM customer_days d
   WHERE d.project_id = $1 AND d.customer_id = $2 AND d.day BETWEEN $3::date AND $4::date ORDER BY d.day`,
);

@Injectable()
export class LastSeenRepository {
  /** UTC days (`YYYY-MM-DD`) on which a customer was seen, both ends included. */
  async daysSeen(
    executor: Executor,
    projectId: string,
    customerId: string,
    [first, last]: readonly [string, string],
  ): Promise<string[]> {
    const rows = await executor.query<{ day: string }>(daysSeen, [projectId, customerId, first, last]);
    return rows.map(({ day }) => day);
  }

  async update(tx: Transaction, projectId: string, updates: readonly LastSeenUpdate[]): Promise<void> {
    await tx.query(updateLastSeen, [projectId, JSON.stringify(updates)]);
  }

  async insertDays(tx: Transaction, projectId: string, days: readonly SeenDay[]): Promise<void> {
    await tx.query(insertDays, [projectId, JSON.stringify(days)]);
  }
}
