import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
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
   LEFT JOIN api_keys cursor ON cursor.project_id = $1 AND cursor.id = $2
   WHERE k.project_id = $1 AND ($2::text IS NULL OR (k.created_at, k.id) > (cursor.created_at, cursor.id))
   ORDER BY k.created_at, k.id
   LIMIT $3`,
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

  exists(executor: Executor, projectId: string, keyId: string): Promise<boolean> {
    return executor.manager.getRepository(ApiKey).existsBy({ projectId, id: keyId });
  }

  /** One page of the keys, oldest first, and one row more to tell that another page follows. */
  page(executor: Executor, projectId: string, { after, limit }: PageRequest): Promise<ListedApiKey[]> {
    return executor.query(page, [projectId, after, limit + 1]);
  }
}
