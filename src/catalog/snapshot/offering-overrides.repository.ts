import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Batcher } from '../../platform/database/batcher.js';
import { statement } from '../../platform/database/statement.js';
import { hideFromPlanner } from '../../platform/database/hide-from-planner.js';

interface Key {
  projectId: string;
  appUserId: string;
}

const readMany = statement(
  'offering_overrides.read_many',
  `SELECT q.position - 1 AS position, c.current_offering_override AS "offeringId"
   FROM unnest(${hideFromPlanner('$1::text[]')}, ${hideFromPlanner('$2::text[]')}) WITH ORDINALITY AS q(project_id, app_user_id, position)
   CROSS JOIN LATERAL (
     SELECT customer_id FROM customer_aliases
     WHERE project_id = q.project_id AND app_user_id = q.app_user_id LIMIT 1) a
   CROSS JOIN LATERAL (
     SELECT current_offering_override FROM customers
     WHERE project_id = q.project_id AND id = a.customer_id LIMIT 1) c`,
);

/** Current offerings of single customers. Only read in projects that have ever set one. */
@Injectable()
export class OfferingOverridesRepository {
  private readonly reads: Batcher<Key, { offeringId: string | null } | null>;

  constructor(private readonly database: DatabaseService) {
    this.reads = new Batcher((keys, since) => this.readMany(keys, since), { maxRunning: 2, maxItems: 64 });
  }

  /** Id of the customer's own current offering; null if there is none or the customer is unknown. */
  async read(projectId: string, appUserId: string): Promise<string | null> {
    return (await this.reads.submit({ projectId, appUserId }))?.offeringId ?? null;
  }

  private async readMany(keys: Key[], since: number): Promise<({ offeringId: string | null } | null)[]> {
    const rows = await this.database.query<{ position: number; offeringId: string | null }>(
      readMany,
      [keys.map(({ projectId }) => projectId), keys.map(({ appUserId }) => appUserId)],
      since,
    );
    const found = new Array<{ offeringId: string | null } | null>(keys.length).fill(null);
    for (const { position, offeringId } of rows) found[position] = { offeringId };
    return found;
  }
}
