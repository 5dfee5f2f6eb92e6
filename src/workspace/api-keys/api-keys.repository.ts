import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import { statement } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ApiKey } from './api-key.entity.js';

const addRoute = statement(
  'api_keys.add_route',
  `INSERT INTO credential_routes (key_hash, kind, project_id, owner_id) VALUES ($3, 'secret_key', $1, $2)`,
);

const deleteRoute = statement(
  'api_keys.delete_route',
  `DELETE FROM credential_routes WHERE project_id = $1 AND owner_id = $2 AND kind = 'secret_key'`,
);

@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** Inserts the key, and the route from its hash to the project. */
  async insert(tx: Transaction, key: ApiKey): Promise<void> {
    await onTransaction(this.keys, tx).insert(key);
    await tx.query(addRoute, [key.projectId, key.id, key.keyHash]);
  }

  /** Deletes the key and its route; returns false if there is no such key. */
  async delete(tx: Transaction, projectId: string, keyId: string): Promise<boolean> {
    const { affected } = await onTransaction(this.keys, tx).delete({ projectId, id: keyId });
    await tx.query(deleteRoute, [projectId, keyId]);
    return affected === 1;
  }

  find(projectId: string, id: string): Promise<ApiKey | null> {
    return this.keys.findOneBy({ projectId, id });
  }

  page(projectId: string, page: PageRequest): Promise<ApiKey[]> {
    return keysetPage(this.keys, { projectId }, page);
  }
}
