import { Injectable } from '@nestjs/common';
import { systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { ProjectsService } from '../../workspace/projects/projects.service.js';
import { DemoCatalogService } from './demo-catalog.service.js';

const DEMO_NAME = 'Demo';

/** Accounts indicate that the demo existed before. Once deleted, it must not return. */
const isEmpty = statement(
  'demo.is_empty',
  `SELECT NOT EXISTS (SELECT 1 FROM projects) AND NOT EXISTS (SELECT 1 FROM users) AS empty`,
);
const lock = statement('demo.lock', 'SELECT pg_advisory_xact_lock(746210002)');
const findKey = statement(
  'demo.find_key',
  `SELECT a.public_key AS key FROM projects p JOIN apps a ON a.project_id = p.id AND a.type = 'test_store'
   WHERE p.name = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, a.created_at LIMIT 1`,
);

/** Creates the demo on an empty database and never changes it afterwards. */
@Injectable()
export class DemoService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly projects: ProjectsService,
    private readonly catalog: DemoCatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** The public key of the demo's Test Store app; null if there is no demo. */
  async publicKey(): Promise<string | null> {
    if (!this.config.demo) return null;
    await this.database.transaction(async (tx) => {
      // Replicas that start together on an empty database create only one demo.
      await tx.query(lock, []);
      const [row] = await tx.query<{ empty: boolean }>(isEmpty, []);
      if (row?.empty) await this.create(tx);
    });
    return (await this.database.query<{ key: string }>(findKey, [DEMO_NAME]))[0]?.key ?? null;
  }

  private async create(tx: Transaction): Promise<void> {
    const project = await this.projects.create(tx, {
      name: DEMO_NAME,
      ownerUserId: null,
      by: systemChange,
    });
    await this.catalog.create(this.writes.within(tx, { ...systemChange, projectId: project.id }));
  }
}
