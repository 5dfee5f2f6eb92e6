import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { settingsPlace } from '../../src/webhooks/deliveries/integrations/secret-places.js';
import type { Json } from './api-client.js';
import type { TestServer } from './test-server.js';

const urls = {
  slack: 'https://hooks.slack.com/services/T0/B0/x0',
  discord: 'https://discord.com/api/webhooks/1/x0',
};

let channels = 0;

/** Creates a destination of a chat tool that receives no events of customers. Returns its id. */
export async function createChannel(
  server: TestServer,
  projectId: string,
  type: keyof typeof urls,
): Promise<string> {
  channels++;
  const id = `dst_${String(channels).padStart(16, '0')}`;
  const sealed = server.app
    .get(SecretsService)
    .seal(JSON.stringify({ url: urls[type] }), settingsPlace(projectId, id));
  await server.dataSource.query(
    `INSERT INTO webhook_integrations (project_id, id, type, name, environment, event_types, settings, sealed_settings,
       revenue, attributes, event_names, send_from, created_at)
     VALUES ($1, $2, $3, 'Channel', 'production', '{product_change}', '{"send_sandbox": false}', $4, 'gross', 'all', '{}',
       $5, $5)`,
    [projectId, id, type, sealed, new Date(server.clock.nowMs())],
  );
  return id;
}

export interface StoredMessage {
  id: string;
  channel: string;
  status: string;
  event: Json;
  dedupeKey: string;
  delivery: string;
}

/** Messages to the channels of a project, oldest first. */
export function messagesOf({ dataSource }: TestServer, projectId: string): Promise<StoredMessage[]> {
  return dataSource.query(
    `SELECT d.id, d.webhook_integration_id AS channel, d.status, e.body AS event, e.dedupe_key AS "dedupeKey", e.delivery
     FROM events e JOIN webhook_deliveries d
       ON d.project_id = e.project_id AND d.event_id = e.id AND d.event_created_at = e.created_at
     WHERE e.project_id = $1 AND e.type = 'DIGEST' ORDER BY e.created_at, e.id`,
    [projectId],
  );
}
