import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../dist/src/app.module.js';
import { buildOpenApi } from '../../dist/src/platform/api-docs/openapi.js';
import { loadConfig } from '../../dist/src/platform/config/config.js';
import { FastExpressAdapter } from '../../dist/src/platform/http/pipeline/express-server.js';
import { LogService } from '../../dist/src/platform/observability/log.service.js';
import { breakingChanges } from '../openapi/breaking-changes.mjs';
import { documentProblems } from '../openapi/validate.mjs';

const FILE = 'docs/openapi.json';
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The OpenAPI document of the sources, with the enterprise edition. Neither a database nor a port is needed. */
async function currentDocument() {
  const clock = { nowMs: () => 0 };
  const app = await NestFactory.create(
    await AppModule.with(loadConfig({ SERVICE_EE_DEV: 'true' }), clock, new LogService('silent')),
    new FastExpressAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  return JSON.parse(JSON.stringify(buildOpenApi(app)));
}

/** The document as it was committed; null in a first commit or outside a repository. */
function committedDocument() {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${FILE}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return status === 0 ? JSON.parse(stdout) : null;
}

function report(title, lines) {
  if (lines.length === 0) return;
  process.stderr.write(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

/** Fails if the document is not valid; a check also fails if it breaks clients of the version in git's HEAD. */
export async function generate({ isCheck }) {
  const document = await currentDocument();
  const problems = await documentProblems(document);
  const before = committedDocument();
  const breaks = before ? breakingChanges(before, document) : [];
  report('The OpenAPI document is not valid:', problems);
  report(
    `Changes that break clients (if they are meant, name them in CHANGELOG.md and commit ${FILE}):`,
    breaks,
  );
  if (problems.length > 0 || (isCheck && breaks.length > 0)) process.exitCode = 1;
  return { [FILE]: `${JSON.stringify(document, null, 2)}\n` };
}
