import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { Attribution } from './attribution.body.js';

const keep = statement(
  'attributions.keep',
  `INSERT INTO customer_attributions AS kept (project_id, app_user_id, network, data, received_at)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (project_id, app_user_id, network) DO UPDATE
     SET data = excluded.data, received_at = excluded.received_at
     WHERE kept.received_at <= excluded.received_at`,
);

@Injectable()
export class AttributionsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async keep(
    projectId: string,
    appUserId: string,
    { network, data }: Attribution,
    receivedAt: Date,
  ): Promise<void> {
    await this.database.query(keep, [projectId, appUserId, network, data, receivedAt]);
  }
}
