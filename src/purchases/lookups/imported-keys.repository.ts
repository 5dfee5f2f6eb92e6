import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const guessed = statement(
  'imported_keys.guessed',
  `SELECT DISTINCT s.store_key AS key FROM subscription_identifiers i
   JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
   WHERE i.project_id = $1 AND i.store_identifier = ANY ($4::text[])
     AND s.store = ANY ($2::text[]) AND s.environment = $3 AND s.key_state IS NOT NULL`,
);

const waiting = statement(
  'imported_keys.waiting',
  `SELECT 1 FROM subscriptions WHERE project_id = $1 AND key_state = 'token_needed' AND app_id = $2 LIMIT 1`,
);

@Injectable()
export class ImportedKeysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the guessed store keys of subscriptions with any of the store identifiers. */
  async guessedKeys(
    executor: Executor,
    projectId: string,
    stores: readonly string[],
    environment: string,
    identifiers: readonly string[],
  ): Promise<string[]> {
    const rows = await executor.query<{ key: string }>(guessed, [
      projectId,
      stores,
      environment,
      identifiers,
    ]);
    return rows.map(({ key }) => key);
  }

  /** Whether a subscription of the app is waiting for its purchase token. */
  async isWaiting(projectId: string, appId: string): Promise<boolean> {
    return (await this.database.query(waiting, [projectId, appId])).length > 0;
  }
}
