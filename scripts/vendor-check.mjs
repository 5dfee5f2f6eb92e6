import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { refusedOperations } from '../dist/src/customers/not-offered/refused-operations.js';
import { withoutOwnFields } from '../dist/src/platform/http/bodies/vendor-fields.js';
import { AnswerValidator } from './vendor-check/answer-validator.mjs';

/**
 * Compares what this server answers with the OpenAPI document of the vendor's REST API v2, which is not part of this
 * repository:
 *
 *     RECORD_ANSWERS=/tmp/answers.jsonl npm run test:e2e
 *     node scripts/vendor-check.mjs <vendor's document, YAML> /tmp/answers.jsonl
 *
 * Prints which of its operations are served or refused with a reason, and each kind of difference once, in the answers
 * that strict clients get (`X-Service-Fields: vendor`). docs/vendor-differences.md says which of them are meant. Needs
 * `npm run build`.
 */
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

const [vendorFile, answersFile] = process.argv.slice(2);
if (!vendorFile || !answersFile) {
  process.stderr.write('usage: node scripts/vendor-check.mjs <OpenAPI document> <recorded answers>\n');
  process.exit(1);
}

const shapeOf = (path) => path.replaceAll(/\{[^}]+\}/g, '{}');

function operationsOf(document, prefix = '') {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      name: `${method.toUpperCase()} ${shapeOf(prefix + path)}`,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${(prefix + path).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
      operation: item[method],
    })),
  );
}

function print(title, lines) {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

const vendor = parseYaml(readFileSync(vendorFile, 'utf8'));
const ownDocument = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
const own = new Set(operationsOf(ownDocument).map(({ name }) => name));
const refused = new Set(
  refusedOperations.map(
    ({ method, path }) => `${method} /v2/projects/{}/${path.replaceAll(/:[^/]+/g, '{}')}`,
  ),
);
const operations = operationsOf(vendor, '/v2').sort((a, b) => b.literals - a.literals);
const served = operations.filter(({ name }) => own.has(name));

const validator = new AnswerValidator(vendor);
const found = new Map();
const seen = new Set();
let answers = 0;
for (const line of readFileSync(answersFile, 'utf8').split('\n').filter(Boolean)) {
  const answer = JSON.parse(line);
  const match = operations.find(
    ({ method, pattern }) => method === answer.method && pattern.test(answer.path),
  );
  if (!match || !(own.has(match.name) || refused.has(match.name))) continue;
  answers++;
  if (answer.status < 300) seen.add(match.name);
  for (const difference of validator.differences(match.name, match.operation, {
    ...answer,
    body: withoutOwnFields(answer.body),
  })) {
    const key = `${match.name} ${answer.status}: ${difference}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
}

process.stdout.write(
  `${served.length} of ${operations.length} operations are served; ${answers} answers of ${seen.size} of them compared\n`,
);
const names = (list) => list.map(({ name }) => name).sort();
const others = operations.filter(({ name }) => !own.has(name));
print('Refused with a reason:', names(others.filter(({ name }) => refused.has(name))));
print('Neither:', names(others.filter(({ name }) => !refused.has(name))));
print('Served, but no success recorded:', names(served.filter(({ name }) => !seen.has(name))));
print(
  'Differences (and how often):',
  [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, count]) => `${key} (${count})`),
);
