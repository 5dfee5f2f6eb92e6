import type { DataSource } from 'typeorm';
import { type Finding, finding } from './finding.js';

const SHOWN = 20;

interface RefusedApp {
  projectId: string;
  appId: string;
  type: string;
  since: Date;
  message: string | null;
}

/** As recorded by servers (CredentialHealthService), which retry until the store accepts them. */
const REFUSED = `SELECT c.project_id AS "projectId", c.app_id AS "appId", a.type, c.mark_at AS since,
    c.last_error AS message
  FROM store_tasks c
  JOIN apps a ON a.project_id = c.project_id AND a.id = c.app_id
  JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL
  WHERE c.kind = 'probe_credentials' ORDER BY c.mark_at, c.project_id, c.app_id`;

function refusal({ projectId, appId, type, since, message }: RefusedApp): Finding {
  const reason = message === null ? '' : `: ${message.replaceAll(/\s+/g, ' ')}`;
  const app = `the credentials of ${appId} (${type}) of ${projectId}`;
  return finding('failure', `The store has refused ${app} since ${since.toISOString()}${reason}`);
}

/** Calls no store: servers record the result of their own calls. */
export async function examineCredentials(dataSource: DataSource): Promise<Finding[]> {
  const refused = await dataSource.query<RefusedApp[]>(REFUSED);
  if (refused.length === 0) return [finding('ok', 'No store is known to refuse the credentials of an app')];
  const rest = refused.length - SHOWN;
  return [
    ...refused.slice(0, SHOWN).map(refusal),
    ...(rest > 0 ? [finding('failure', `Stores refuse the credentials of ${rest} more apps`)] : []),
  ];
}
