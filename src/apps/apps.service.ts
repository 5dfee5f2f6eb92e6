import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newPublicKeySecret } from '../../libs/kernel/index.js';
import { credentialHash } from '../auth/credentials.js';
import { bumpCatalogVersion } from '../catalog/catalog-version.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import type { PageRequest } from '../http/lists.js';
import type { App } from './app.entity.js';
import { type AppType, publicKeyPrefixes } from './app-types.js';
import { AppsRepository } from './apps.repository.js';

/** Apps and their public keys. */
@Injectable()
export class AppsService {
  constructor(
    @Inject(AppsRepository) private readonly repository: AppsRepository,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 for a store that this server has no settings for yet */
  async create(projectId: string, app: { name: string; type: AppType }): Promise<App> {
    if (app.type !== 'test_store') {
      throw new ApiError(
        'impossible',
        `Apps of type ${app.type} cannot be created yet; test_store apps can.`,
        {
          param: 'type',
        },
      );
    }
    return this.database.transaction((tx) => this.createIn(tx, projectId, app));
  }

  /** As `create`, in a transaction that does more. */
  async createIn(
    tx: Transaction,
    projectId: string,
    { name, type }: { name: string; type: AppType },
  ): Promise<App> {
    const nowMs = this.clock.nowMs();
    const publicKey = publicKeyPrefixes[type] + newPublicKeySecret();
    const scheme = createHash('sha256').update(`url-scheme/${publicKey}`).digest('hex').slice(0, 10);
    const app: App = {
      projectId,
      id: newId('app', nowMs),
      type,
      name,
      publicKey,
      customUrlScheme: `rc-${scheme}`,
      createdAt: new Date(nowMs),
    };
    await this.repository.insert(tx, app, credentialHash(publicKey));
    await bumpCatalogVersion(tx, projectId);
    return app;
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<App> {
    const app = await this.repository.find(this.database, projectId, id);
    if (!app) throw ApiError.missing('app', id);
    return app;
  }

  /** An app as a transaction sees it; null when there is none. */
  findIn(executor: Executor, projectId: string, id: string): Promise<App | null> {
    return this.repository.find(executor, projectId, id);
  }

  /** Apps by id, for embedding. */
  async byId(projectId: string, ids: string[]): Promise<Map<string, App>> {
    const apps = await this.repository.findMany(this.database, projectId, [...new Set(ids)]);
    return new Map(apps.map((app) => [app.id, app]));
  }

  page(projectId: string, page: PageRequest): Promise<App[]> {
    return this.repository.page(this.database, projectId, page);
  }
}
