import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

export interface SdkVersion {
  platform: string | null;
  /** The framework that wraps the SDK; null if there is none. */
  flavor: string | null;
  version: string;
  customers: number;
  lastSeenAt: Date;
}

/** Scans all customers of a project, which is acceptable for rare requests by people; devices never use it. */
const mostUsed = statement(
  'customers.sdk_versions',
  `SELECT last_seen_platform AS platform, last_seen_platform_flavor AS flavor, last_seen_sdk_version AS version,
     count(*) AS customers, max(last_seen_at) AS "lastSeenAt"
   FROM customers WHERE project_id = $1 AND last_seen_sdk_version IS NOT NULL
   GROUP BY 1, 2, 3 ORDER BY customers DESC, 1, 2, 3 LIMIT $2`,
);

@Injectable()
export class SdkVersionsRepository {
  constructor(private readonly database: DatabaseService) {}

  mostUsed(projectId: string, limit: number): Promise<SdkVersion[]> {
    return this.database.query(mostUsed, [projectId, limit]);
  }
}
