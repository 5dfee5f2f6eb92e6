import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type { Refreshed, StoreAdapter, VerificationFailure, Verified } from '../../libs/stores/index.js';
import type { App } from '../apps/app.entity.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

/** Why a store did not take the credentials of an app when it was last asked. */
export interface CredentialFailure {
  failedAt: Date;
  error: string;
}

const MAX_ERROR_LENGTH = 500;

const note = statement(
  'store_credential_failures.note',
  `INSERT INTO store_credential_failures (project_id, app_id, failed_at, error) VALUES ($1, $2, $3, $4)
   ON CONFLICT (project_id, app_id) DO UPDATE SET failed_at = excluded.failed_at, error = excluded.error`,
);

const forget = statement(
  'store_credential_failures.forget',
  `DELETE FROM store_credential_failures WHERE project_id = $1 AND app_id = $2`,
);

const all = statement(
  'store_credential_failures.all',
  `SELECT app_id AS "appId", failed_at AS "failedAt", error FROM store_credential_failures WHERE project_id = $1`,
);

/** Which apps have credentials that their store does not take. */
@Injectable()
export class CredentialFailures {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** By app id. */
  async of(projectId: string): Promise<Map<string, CredentialFailure>> {
    const rows = await this.database.query<CredentialFailure & { appId: string }>(all, [projectId]);
    return new Map(rows.map(({ appId, failedAt, error }) => [appId, { failedAt, error }]));
  }

  /** The adapter, with what its answers tell of the app's credentials noted. */
  watched(app: App, adapter: StoreAdapter): StoreAdapter {
    return {
      store: adapter.store,
      verify: async (receipt, context) => this.noted(app, await adapter.verify(receipt, context)),
      verifyInstallation: adapter.verifyInstallation?.bind(adapter),
      refresh:
        adapter.refresh &&
        (async (key, environment) => {
          const answer = await adapter.refresh?.(key, environment);
          return this.noted(app, answer as Refreshed | VerificationFailure);
        }),
    };
  }

  private async noted<Answer extends Verified | Refreshed | VerificationFailure>(
    { projectId, id }: App,
    answer: Answer,
  ): Promise<Answer> {
    if (answer.failure === 'credentials') {
      const error = answer.message.slice(0, MAX_ERROR_LENGTH);
      await this.database.query(note, [projectId, id, new Date(this.clock.nowMs()), error]);
    } else if (answer.failure === null && isComplete(answer)) {
      await this.database.query(forget, [projectId, id]);
    }
    return answer;
  }
}

/** What is left open may be so because of the credentials. */
function isComplete({ unfinished = [] }: Verified | Refreshed): boolean {
  return typeof unfinished === 'boolean' ? !unfinished : unfinished.length === 0;
}
