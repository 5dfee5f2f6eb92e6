import { Injectable } from '@nestjs/common';
import type { Executor } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import { type Place, placeByCreation } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { ApiKey } from './api-key.entity.js';

const addRoute = statement(
  'api_keys.add_route',
  `INSERT INTO credential_routes (key_hash, kind, project_id, owner_id) VALUES ($3, 'secret_key', $1, $2)`,
);

const deleteRoute = statement(
  'api_keys.delete_route',
  `DELETE FROM credential_routes WHERE project_id = $1 AND owner_id = $2 AND kind = 'secret_key'`,
);

const page = statement(
  'api_keys.page',
  `SELECT k.project_id AS "projectId", k.id, k.name, k.prefix, k.permissions, k.created_at AS "createdAt",
          k.last_used_at AS "lastUsedAt"
   FROM api_keys k
   WHERE k.project_id = $1 AND ($2::timestamptz IS NULL OR (k.created_at, k.id) > ($2, $3::text))
   ORDER BY k.created_at, k.id
   LIMIT $4`,
);

/** What lists show of a key. */
export type ListedApiKey = Omit<ApiKey, 'keyHash' | 'createdBy'>;

@Injectable()
export class ApiKeysRepository {
  /** Writes the key and the route that leads from its hash to the project. */
  async insert(executor: Executor, key: ApiKey): Promise<void> {
    await executor.manager.getRepository(ApiKey).insert(key);
    await executor.query(addRoute, [key.projectId, key.id, key.keyHash]);
  }

  /** Deletes the key and its route; false when there is no such key. */
  async delete(executor: Executor, projectId: string, keyId: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(ApiKey).delete({ projectId, id: keyId });
    await executor.query(deleteRoute, [projectId, keyId]);
    return affected === 1;
  }

  /** Where a key stands in the list; null when there is none. */
  async placeOf(executor: Executor, projectId: string, id: string): Promise<Place | null> {
    const found = await executor.manager.getRepository(ApiKey).findOneBy({ projectId, id });
    return found && placeByCreation(found);
  }

  /** One page of the keys behind `after`, oldest first, and one row more to tell that another page follows. */
  page(
    executor: Executor,
    projectId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ListedApiKey[]> {
    return executor.query(page, [projectId, ...(after ?? [null, null]), limit + 1]);
  }
}
