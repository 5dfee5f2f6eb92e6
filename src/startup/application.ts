import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Clock } from '../../libs/kernel/index.js';
import { RequestCredentialsService } from '../platform/auth/request-credentials.service.js';
import type { Config } from '../platform/config/config.js';
import { AdmissionService } from '../platform/http/pipeline/admission.service.js';
import { AnswerSigningService } from '../platform/http/pipeline/answer-signing.service.js';
import { BodyArrivalsService } from '../platform/http/pipeline/body-arrivals.service.js';
import { FastExpressAdapter } from '../platform/http/pipeline/express-server.js';
import type { Listener } from '../platform/http/pipeline/listener.js';
import { OpenApiDocumentService } from '../platform/api-docs/openapi-document.service.js';
import { buildOpenApi, serveOpenApi } from '../platform/api-docs/openapi.js';
import { requestPipeline } from '../platform/http/pipeline/pipeline.js';
import { RouteTableService } from '../platform/http/pipeline/route-table.service.js';
import { HttpMetrics } from '../platform/http/pipeline/http.metrics.js';
import { loggedAppUserIds } from '../platform/observability/app-user-id-hash.js';
import { FrameworkLog, type LogService } from '../platform/observability/log.service.js';
import { ReadinessService } from '../platform/observability/readiness.service.js';

export interface RootModule {
  with(config: Config, clock: Clock, log: LogService): Promise<DynamicModule>;
}

/** Documents by edition, because a process may start several servers and each document is expensive. */
const documents = new Map<boolean, OpenAPIObject>();

/**
 * Requires a migrated database and `config.databaseUrl`. Serves no requests yet. @param listener is already listening
 */
export async function createApplication(
  root: RootModule,
  config: Config,
  clock: Clock,
  log: LogService,
  listener?: Listener,
): Promise<NestExpressApplication> {
  log.showAppUserIdsAs(loggedAppUserIds(config));
  const app = await NestFactory.create<NestExpressApplication>(
    await root.with(config, clock, log),
    new FastExpressAdapter(listener),
    { bodyParser: false, logger: new FrameworkLog(log), abortOnError: false },
  );
  app.set('trust proxy', config.trustProxy);
  const credentials = app.get(RequestCredentialsService);
  app.use(
    requestPipeline(clock, config, log, {
      metrics: app.get(HttpMetrics),
      signing: app.get(AnswerSigningService),
      readiness: app.get(ReadinessService),
      admission: app.get(AdmissionService),
      arrivals: app.get(BodyArrivalsService),
      routes: app.get(RouteTableService),
      authenticate: (request) => credentials.cached(request) ?? credentials.principalOf(request),
    }),
  );
  app.get(OpenApiDocumentService).buildWith(() => {
    const document = documents.get(config.isEnterprise) ?? buildOpenApi(app);
    documents.set(config.isEnterprise, document);
    return document;
  });
  if (config.apiDocs) serveOpenApi(app);
  await app.init();
  return app;
}
