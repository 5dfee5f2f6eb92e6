import { randomUUID } from 'node:crypto';
import { CATALOG_CHANGED } from '../../src/catalog/shared/catalog-version.js';
import { NotificationListenerService } from '../../src/platform/database/connections/notification-listener.service.js';
import type { TestServer } from './test-server.js';

/**
 * Waits until the server's caches have heard of every change committed so far. PostgreSQL delivers notifications in the
 * order of their commits, so one about an unknown project arrives after all of them. A server passes on repeated
 * notifications, such as those of the second change of a project within a second, at the end of the second: `repeated`
 * waits for them too.
 */
export async function heardChanges(
  { app, dataSource }: Pick<TestServer, 'app' | 'dataSource'>,
  { repeated = false } = {},
): Promise<void> {
  const listener = app.get(NotificationListenerService);
  if (!listener.connected) return;
  const unknown = randomUUID();
  let expected = repeated ? 2 : 1;
  const heard = new Promise<void>((resolve) => {
    listener.on(CATALOG_CHANGED, (projectId) => {
      if (projectId !== unknown && projectId !== '') return;
      expected -= 1;
      if (expected === 0) resolve();
    });
  });
  // Equal notifications of one transaction are sent once.
  for (let sent = 0, count = expected; sent < count; sent += 1) {
    await dataSource.query('SELECT pg_notify($1, $2)', [CATALOG_CHANGED, unknown]);
  }
  await heard;
}
