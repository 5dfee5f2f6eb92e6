import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Executor } from '../database/database.js';
import { keysetPage } from '../database/keyset.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import { App } from './app.entity.js';

const addRoute = statement(
  'apps.add_route',
  `INSERT INTO credential_routes (key_hash, kind, project_id, owner_id) VALUES ($3, 'public_key', $1, $2)`,
);

@Injectable()
export class AppsRepository {
  /** Writes the app and the route that leads from its public key to the project. */
  async insert(executor: Executor, app: App, keyHash: Buffer): Promise<void> {
    await executor.manager.getRepository(App).insert(app);
    await executor.query(addRoute, [app.projectId, app.id, keyHash]);
  }

  find(executor: Executor, projectId: string, id: string): Promise<App | null> {
    return executor.manager.getRepository(App).findOneBy({ projectId, id });
  }

  findMany(executor: Executor, projectId: string, ids: string[]): Promise<App[]> {
    return executor.manager.getRepository(App).findBy({ projectId, id: In(ids) });
  }

  page(executor: Executor, projectId: string, page: PageRequest): Promise<App[]> {
    return keysetPage(executor, App, { projectId }, page);
  }
}
