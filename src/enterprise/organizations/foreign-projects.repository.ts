import { Injectable } from '@nestjs/common';
import type { Region } from '../../platform/config/enterprise-settings.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const elsewhere = statement(
  'organization_projects.elsewhere',
  `SELECT a.project_id AS "projectId", a.region FROM organization_projects a WHERE a.region <> $1`,
);

@Injectable()
export class ForeignProjectsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Those of all organizations whose region is another. */
  elsewhere(own: Region): Promise<{ projectId: string; region: Region }[]> {
    return this.database.query(elsewhere, [own]);
  }
}
