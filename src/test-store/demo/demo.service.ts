import { Injectable } from '@nestjs/common';
import { systemChange } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ProjectsService } from '../../workspace/projects/projects.service.js';
import { DemoCatalogService } from './demo-catalog.service.js';
import { DemoRepository } from './demo.repository.js';

const DEMO_NAME = 'Demo';

/** Creates the demo on an empty database and never changes it afterwards. */
@Injectable()
export class DemoService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly repository: DemoRepository,
    private readonly projects: ProjectsService,
    private readonly catalog: DemoCatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** The public key of the demo's Test Store app; null if there is no demo. */
  async publicKey(): Promise<string | null> {
    if (!this.config.demo) return null;
    await this.database.transaction(async (tx) => {
      // Replicas that start together on an empty database create only one demo.
      if (await this.repository.lockAndCheckEmpty(tx)) await this.create(tx);
    });
    return this.repository.publicKey(DEMO_NAME);
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
