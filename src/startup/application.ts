import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Clock } from '../../libs/kernel/index.js';
import { RequestCredentials } from '../platform/auth/request-credentials.js';
import type { Config } from '../platform/config/config.js';
import { Admission } from '../platform/http/admission.js';
import { AnswerSigning } from '../platform/http/answer-signing.js';
import { BodyArrivals } from '../platform/http/body-arrivals.js';
import { FastExpressAdapter } from '../platform/http/express-server.js';
import type { Listener } from '../platform/http/listener.js';
import { buildOpenApi, serveOpenApi } from '../platform/api-docs/openapi.js';
import { requestPipeline } from '../platform/http/pipeline.js';
import { RouteTable } from '../platform/http/route-table.js';
import { HttpMetrics } from '../platform/http/http-metrics.js';
import { loggedAppUserIds } from '../platform/observability/app-user-id-hash.js';
import { FrameworkLog, type Log } from '../platform/observability/log.js';
import { Readiness } from '../platform/observability/readiness.js';

/** The root module, which imports the wings. */
export interface RootModule {
  with(config: Config, clock: Clock, log: Log): DynamicModule;
}

export interface Application {
  app: NestExpressApplication;
  document: OpenAPIObject;
}

/**
 * Builds the server on a migrated database; `config.databaseUrl` must be set. It serves no requests yet.
 * @param listener the HTTP server, if it already listens
 */
export async function createApplication(
  root: RootModule,
  config: Config,
  clock: Clock,
  log: Log,
  listener?: Listener,
): Promise<Application> {
  log.showAppUserIdsAs(loggedAppUserIds(config));
  const app = await NestFactory.create<NestExpressApplication>(
    root.with(config, clock, log),
    new FastExpressAdapter(listener),
    { bodyParser: false, logger: new FrameworkLog(log), abortOnError: false },
  );
  app.set('trust proxy', config.trustProxy);
  const credentials = app.get(RequestCredentials);
  app.use(
    requestPipeline(clock, config, log, {
      metrics: app.get(HttpMetrics),
      signing: app.get(AnswerSigning),
      readiness: app.get(Readiness),
      admission: app.get(Admission),
      arrivals: app.get(BodyArrivals),
      routes: app.get(RouteTable),
      authenticate: (request) => credentials.cachedKey(request) ?? credentials.principalOf(request),
    }),
  );
  const document = buildOpenApi(app);
  serveOpenApi(app, document);
  await app.init();
  return { app, document };
}
