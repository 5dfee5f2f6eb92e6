import { Injectable } from '@nestjs/common';
import type { CustomerFacts, Enrollment } from '../../../libs/targeting/index.js';
import { Batcher } from '../../platform/database/batcher.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { hideFromPlanner } from '../../platform/database/hide-from-planner.js';
import { statement } from '../../platform/database/statement.js';

interface Key {
  projectId: string;
  appUserId: string;
  /** Names of the requested attributes. */
  attributes: readonly string[];
}

/** Stored facts about a customer, with the requested attributes. */
export interface StoredCustomer extends CustomerFacts {
  attributes: Record<string, string>;
}

interface Row extends Omit<StoredCustomer, 'enrollments' | 'left'> {
  position: number;
  enrollments: (Enrollment & { isSuperseded: boolean })[];
}

const wanted = `
  FROM unnest(${hideFromPlanner('$2::text[]')}) WITH ORDINALITY AS q(app_user_id, position)
  CROSS JOIN LATERAL (
    SELECT customer_id FROM customer_aliases
    WHERE project_id = $1 AND app_user_id = q.app_user_id LIMIT 1) a`;

const readOverrides = statement(
  'offering_overrides.read_many',
  `SELECT q.position - 1 AS position, c.current_offering_override AS "offeringId" ${wanted}
   CROSS JOIN LATERAL (
     SELECT current_offering_override FROM customers
     WHERE project_id = $1 AND id = a.customer_id LIMIT 1) c`,
);

const readFacts = statement(
  'targeting.customer_facts',
  `SELECT q.position - 1 AS position, c.original_app_user_id AS "originalAppUserId",
     ${epochMs('c.first_seen_at')} AS "firstSeenAtMs", c.current_offering_override AS "overrideOfferingId",
     EXISTS (SELECT 1 FROM customer_aliases t CROSS JOIN LATERAL (
       SELECT 1 FROM blocked_customers b
       WHERE b.project_id = $1 AND b.app_user_id = t.app_user_id LIMIT 1) b
     WHERE t.project_id = $1 AND t.customer_id = a.customer_id) AS "isBlocked",
     (SELECT coalesce(json_agg(json_build_object('experimentId', e.experiment_id, 'variant', e.variant,
        'isSuperseded', e.superseded_at IS NOT NULL) ORDER BY e.enrolled_at, e.experiment_id), '[]')
      FROM experiment_enrollments e
      WHERE e.project_id = $1 AND e.customer_id = a.customer_id) AS enrollments,
     (SELECT coalesce(json_object_agg(t.name, t.value), '{}') FROM customer_attributes t
      WHERE t.project_id = $1 AND t.customer_id = a.customer_id
        AND t.name = ANY ($3::text[]) AND t.value IS NOT NULL) AS attributes
   ${wanted}
   CROSS JOIN LATERAL (
     SELECT original_app_user_id, first_seen_at, current_offering_override FROM customers
     WHERE project_id = $1 AND id = a.customer_id LIMIT 1) c`,
);

/** Reads customers when SDKs request offerings, many customers at a time. */
@Injectable()
export class CustomerFactsRepository {
  private readonly overrides: Batcher<Key, string | null>;
  private readonly facts: Batcher<Key, StoredCustomer | null>;

  constructor(private readonly database: DatabaseService) {
    const options = { maxRunning: 2, maxItems: 64, groupOf: ({ projectId }: Key) => projectId };
    this.overrides = new Batcher((keys, since) => this.readOverrides(keys, since), options);
    this.facts = new Batcher((keys, since) => this.readFacts(keys, since), options);
  }

  /** Returns the id of the customer's own current offering; null if there is none or the customer is unknown. */
  override(projectId: string, appUserId: string): Promise<string | null> {
    return this.overrides.submit({ projectId, appUserId, attributes: [] });
  }

  /** Returns null for an unknown customer. */
  find(projectId: string, appUserId: string, attributes: readonly string[]): Promise<StoredCustomer | null> {
    return this.facts.submit({ projectId, appUserId, attributes });
  }

  private async readOverrides(keys: Key[], since: number): Promise<(string | null)[]> {
    const [{ projectId }] = keys as [Key];
    const rows = await this.database.query<{ position: number; offeringId: string | null }>(
      readOverrides,
      [projectId, keys.map(({ appUserId }) => appUserId)],
      since,
    );
    const found = new Array<string | null>(keys.length).fill(null);
    for (const { position, offeringId } of rows) found[position] = offeringId;
    return found;
  }

  private async readFacts(keys: Key[], since: number): Promise<(StoredCustomer | null)[]> {
    const [{ projectId }] = keys as [Key];
    const names = [...new Set(keys.flatMap(({ attributes }) => attributes))];
    const rows = await this.database.query<Row>(
      readFacts,
      [projectId, keys.map(({ appUserId }) => appUserId), names],
      since,
    );
    const found = new Array<StoredCustomer | null>(keys.length).fill(null);
    for (const { position, enrollments, ...row } of rows) {
      found[position] = {
        ...row,
        enrollments: enrollments.filter(({ isSuperseded }) => !isSuperseded),
        left: enrollments.filter(({ isSuperseded }) => isSuperseded).map(({ experimentId }) => experimentId),
      };
    }
    return found;
  }
}
