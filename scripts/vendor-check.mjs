import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { refusedOperations } from '../dist/src/customers/not-offered/refused-operations.js';
import { withoutOwnFields } from '../dist/src/platform/http/bodies/vendor-fields.js';

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

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.0 says `nullable` where JSON Schema has the type null, and true where it has a bound. */
function asJsonSchema(node) {
  if (Array.isArray(node)) return node.map(asJsonSchema);
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, asJsonSchema(value)]);
  const { nullable, exclusiveMinimum, exclusiveMaximum, discriminator, example, ...schema } =
    Object.fromEntries(entries);
  if (typeof exclusiveMinimum === 'number') schema.exclusiveMinimum = exclusiveMinimum;
  if (typeof exclusiveMaximum === 'number') schema.exclusiveMaximum = exclusiveMaximum;
  // Properties may have these names, too.
  if (isObject(example) && example.type) schema.example = example;
  if (isObject(nullable)) schema.nullable = nullable;
  if (isObject(discriminator) && discriminator.type) schema.discriminator = discriminator;
  if (nullable !== true) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema.enum && { enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, 'null'], ...values };
}

/** `/items/0/price` -> `items[].price` */
function placeOf(instancePath) {
  return instancePath
    .slice(1)
    .split('/')
    .map((part) => (/^\d+$/.test(part) ? '[]' : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function textOf({ instancePath, message, params }) {
  const place = placeOf(instancePath);
  if (params.additionalProperty !== undefined) return `${place}: has ${params.additionalProperty}`;
  if (params.missingProperty !== undefined) return `${place}: lacks ${params.missingProperty}`;
  const values = params.allowedValues ? ` (${params.allowedValues.join(', ')})` : '';
  return `${place}: ${message}${values}`;
}

/** Where a union fails, the failures of its members say why; that it is not null either says nothing. */
function withoutUnions(errors) {
  const isUnion = ({ keyword, params }) =>
    keyword === 'anyOf' || keyword === 'oneOf' || (keyword === 'type' && params.type === 'null');
  const others = errors.filter((error) => !isUnion(error));
  return others.length > 0 ? others : errors;
}

/** Compares answers with the response schemas of an OpenAPI 3.0 document. */
class AnswerValidator {
  constructor(document) {
    this.ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: 'vendor', components: asJsonSchema(document.components) });
    this.components = document.components;
    this.compiled = new Map();
  }

  /** How an answer differs from what `operation` (named `name`) says of it, a line each. */
  differences(name, operation, { status, body }) {
    const known = operation.responses[String(status)];
    const response = known?.$ref ? this.components.responses[known.$ref.split('/').at(-1)] : known;
    if (!response) return [`the status ${status} is not in the document`];
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return [];
    const validate = this.compile(`${name} ${status}`, schema);
    if (validate(body)) return [];
    return [...new Set(withoutUnions(validate.errors).map(textOf))];
  }

  compile(key, schema) {
    const known = this.compiled.get(key);
    if (known) return known;
    const text = JSON.stringify(asJsonSchema(schema)).replaceAll('"#/components/', '"vendor#/components/');
    const validate = this.ajv.compile(JSON.parse(text));
    this.compiled.set(key, validate);
    return validate;
  }
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
