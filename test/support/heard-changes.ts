import { randomUUID } from 'node:crypto';
import { CATALOG_CHANGED } from '../../src/catalog/shared/catalog-version.js';
import { NotificationListenerService } from '../../src/platform/database/connections/notification-listener.service.js';
import type { TestServer } from './test-server.js';

/**
 * Waits until the server's caches have heard of every change committed so far. PostgreSQL delivers notifications in the
 * order of their commits, so one about an unknown project arrives after all of them.
 */
export async function heardChanges({
  app,
  dataSource,
}: Pick<TestServer, 'app' | 'dataSource'>): Promise<void> {
  const listener = app.get(NotificationListenerService);
  if (!listener.connected) return;
  const unknown = randomUUID();
  const heard = new Promise<void>((resolve) => {
    listener.on(CATALOG_CHANGED, (projectId) => {
      if (projectId === unknown || projectId === '') resolve();
    });
  });
  await dataSource.query('SELECT pg_notify($1, $2)', [CATALOG_CHANGED, unknown]);
  await heard;
}
