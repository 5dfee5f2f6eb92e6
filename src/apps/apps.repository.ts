import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import type { Executor } from '../database/database.js';
import { findByKey } from '../database/find-by-key.js';
import { keysetPage } from '../database/keyset.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import { App } from './app.entity.js';

const addRoute = statement(
  'apps.add_route',
  `INSERT INTO credential_routes (key_hash, kind, project_id, owner_id) VALUES ($3, 'public_key', $1, $2)`,
);

const deleteRoute = statement(
  'apps.delete_route',
  `DELETE FROM credential_routes WHERE project_id = $1 AND owner_id = $2 AND kind = 'public_key'`,
);

@Injectable()
export class AppsRepository {
  /** Writes the app and the route that leads from its public key to the project. */
  async insert(executor: Executor, app: App, keyHash: Buffer): Promise<void> {
    await executor.manager.getRepository(App).insert(app);
    await executor.query(addRoute, [app.projectId, app.id, keyHash]);
  }

  async update(executor: Executor, { projectId, id, ...columns }: App): Promise<void> {
    await executor.manager.getRepository(App).update({ projectId, id }, columns);
  }

  /** Deletes the app, its products and the route of its public key; false when there is no such app. */
  async delete(executor: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(App).delete({ projectId, id });
    await executor.query(deleteRoute, [projectId, id]);
    return affected === 1;
  }

  find(executor: Executor, projectId: string, id: string): Promise<App | null> {
    return findByKey(executor, App, { projectId, id });
  }

  findMany(executor: Executor, projectId: string, ids: string[]): Promise<App[]> {
    return executor.manager.getRepository(App).findBy({ projectId, id: Any(ids) });
  }

  all(executor: Executor, projectId: string): Promise<App[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return executor.manager.getRepository(App).find({ where: { projectId }, order });
  }

  page(executor: Executor, projectId: string, page: PageRequest): Promise<App[]> {
    return keysetPage(executor, App, { projectId }, page);
  }
}
