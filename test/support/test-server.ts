import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ManualClock } from '../../libs/kernel/index.js';
import { AppModule } from '../../src/app.module.js';
import { createApplication } from '../../src/startup/application.js';
import { OpenApiDocumentService } from '../../src/platform/api-docs/openapi-document.service.js';
import { type Config, loadConfig } from '../../src/platform/config/config.js';
import { LogService } from '../../src/platform/observability/log.service.js';
import { ApiClient } from './api-client.js';
import { auditedWritesOf } from './audited-writes.js';
import { createTestDatabase, databaseSettings } from './database/index.js';
import { assertEventBodies } from './event-bodies.js';
import { openApiValidatorOf } from './openapi-validator.js';

/** 2 January 2026, 03:04:05.678 UTC: where the clock of every test server starts. */
export const TEST_START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export interface TestServerOptions {
  /** Environment variables on top of the defaults of the tests. */
  env?: NodeJS.ProcessEnv;
  /** Use this database instead of a fresh one (a second replica, a restart). */
  databaseUrl?: string;
  clock?: ManualClock;
  /** Gets every line of the log, of every level. */
  logTo?: (line: string) => void;
}

/** A whole server on a database of its own, with a clock that stands still. */
export interface TestServer {
  app: NestExpressApplication;
  config: Config;
  document: OpenAPIObject;
  clock: ManualClock;
  baseUrl: string;
  databaseUrl: string;
  /** Client without a credential; every answer is checked against the OpenAPI document. */
  http: ApiClient;
  /** For arrangements and assertions that have no API. */
  dataSource: DataSource;
  /** Names of the polls that the server would run on its own. */
  polls: string[];
  close(): Promise<void>;
}

/**
 * The clock of the tests jumps, and who arranges rows is not to find them taken: what is due is done when a test asks
 * for it (`drain`, `run`), and at once after writes that wake the work they bring. Gives their names.
 */
function stopPolls(registry: SchedulerRegistry): string[] {
  const names = registry.getIntervals();
  for (const name of names) registry.deleteInterval(name);
  return names;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const owned = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const databaseUrl = options.databaseUrl ?? owned?.url ?? '';
  const clock = options.clock ?? new ManualClock(TEST_START_MS);
  const config = loadConfig({
    ...databaseSettings(databaseUrl),
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_DEMO: 'false',
    SERVICE_SQL_ACCESS: 'primary',
    SERVICE_DATABASE_POOL_SIZE: '10',
    // Tests hold locks; how long that takes is up to the machine.
    SERVICE_DATABASE_TIMEOUT_MS: '200000',
    SERVICE_DATABASE_REPORT_TIMEOUT_MS: '200000',
    PORT: '0',
    ...options.env,
  });
  const { logTo } = options;
  const log = logTo ? new LogService('trace', { write: logTo }) : new LogService(config.logLevel);
  const app = await createApplication(AppModule, config, clock, log);
  const document = app.get(OpenApiDocumentService).get();
  const polls = stopPolls(app.get(SchedulerRegistry));
  const server = await app.listen(0, '127.0.0.1');
  const writes = auditedWritesOf(databaseUrl);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    app,
    config,
    document,
    clock,
    baseUrl,
    databaseUrl,
    http: new ApiClient(baseUrl, openApiValidatorOf(document), writes),
    dataSource: app.get(DataSource),
    polls,
    async close() {
      server.closeAllConnections();
      try {
        if (owned) {
          await writes.assertAudited(app.get(DataSource));
          await assertEventBodies(app.get(DataSource), document);
        }
      } finally {
        await app.close();
        await owned?.drop();
      }
    },
  };
}
