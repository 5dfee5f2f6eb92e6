import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { build } from '../build.mjs';

/** The OpenAPI document of the sources, with the enterprise edition. Nothing is started: neither a database nor a port is needed. */
export async function makeDocument() {
  await build();
  const [{ AppModule }, { FastExpressAdapter }, { buildOpenApi }, { loadConfig }, { LogService }] =
    await Promise.all([
      import('../../dist/src/app.module.js'),
      import('../../dist/src/platform/http/pipeline/express-server.js'),
      import('../../dist/src/platform/api-docs/openapi.js'),
      import('../../dist/src/platform/config/config.js'),
      import('../../dist/src/platform/observability/log.service.js'),
    ]);
  const clock = { nowMs: () => 0 };
  const app = await NestFactory.create(
    await AppModule.with(loadConfig({ SERVICE_EE_DEV: 'true' }), clock, new LogService('silent')),
    new FastExpressAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return JSON.parse(JSON.stringify(buildOpenApi(app)));
}
