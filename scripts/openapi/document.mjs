import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { build } from '../build.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

const byName = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

function byMethod(operations) {
  return Object.fromEntries(
    METHODS.filter((method) => operations[method]).map((method) => [method, operations[method]]),
  );
}

/** The same document in an order that does not depend on where the sources say things. */
function inOrder(document) {
  const paths = Object.entries(byName(document.paths)).map(([path, item]) => [path, byMethod(item)]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: byName(document.components.schemas) },
  };
}

/** The OpenAPI document of the sources. Nothing is started: neither a database nor a port is needed. */
export async function makeDocument() {
  build();
  const [{ AppModule }, { FastExpressAdapter }, { buildOpenApi }, { loadConfig }, { Log }] =
    await Promise.all([
      import('../../dist/src/app.module.js'),
      import('../../dist/src/platform/http/express-server.js'),
      import('../../dist/src/platform/api-docs/openapi.js'),
      import('../../dist/src/platform/config/config.js'),
      import('../../dist/src/platform/observability/log.js'),
    ]);
  const clock = { nowMs: () => 0 };
  const app = await NestFactory.create(
    AppModule.with(loadConfig({}), clock, new Log('silent')),
    new FastExpressAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return inOrder(JSON.parse(JSON.stringify(buildOpenApi(app))));
}
