import { SchemaComparison } from './schema-changes.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

function bodySchemas(holder) {
  return Object.entries(holder?.content ?? {}).map(([type, { schema }]) => [type, schema]);
}

function compareParameters(where, before, after, changes, schemas) {
  const keyOf = ({ in: place, name }) => `${place} parameter ${name}`;
  const fresh = new Map((after.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
  const known = new Set();
  for (const parameter of before.parameters ?? []) {
    const key = keyOf(parameter);
    known.add(key);
    const counterpart = fresh.get(key);
    if (!counterpart) {
      changes.push(`${where}: ${key} is gone`);
      continue;
    }
    if (counterpart.required && !parameter.required) changes.push(`${where}: ${key} is now required`);
    schemas.compare(`${where}: ${key}`, parameter.schema, counterpart.schema, 'request');
  }
  for (const [key, { required }] of fresh) {
    if (required && !known.has(key)) changes.push(`${where}: ${key} is now required`);
  }
}

function compareBody(where, before, after, changes, schemas) {
  if (after.requestBody?.required && !before.requestBody?.required) {
    changes.push(`${where}: a request body is now required`);
  }
  const fresh = new Map(bodySchemas(after.requestBody));
  for (const [type, schema] of bodySchemas(before.requestBody)) {
    if (fresh.has(type)) schemas.compare(`${where} request`, schema, fresh.get(type), 'request');
    else if (after.requestBody) changes.push(`${where}: a request body of ${type} is not taken any more`);
  }
}

/** The answers of an operation, those that stand among the components of its document, too. */
function answersOf(document, { responses = {} }) {
  const shared = document.components?.responses ?? {};
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response.$ref ? shared[response.$ref.split('/').at(-1)] : response,
    ]),
  );
}

function compareResponses(where, before, after, changes, schemas) {
  for (const [status, response] of Object.entries(before)) {
    const counterpart = after[status];
    if (!counterpart) {
      if (Number(status) < 400) changes.push(`${where}: the answer ${status} is gone`);
      continue;
    }
    const fresh = new Map(bodySchemas(counterpart));
    for (const [type, schema] of bodySchemas(response)) {
      if (fresh.has(type)) schemas.compare(`${where} ${status}`, schema, fresh.get(type), 'response');
      else changes.push(`${where}: the answer ${status} has no ${type} any more`);
    }
  }
}

function compareAccess(where, before, after, changes) {
  const permissions = before['x-required-permissions'] ?? [];
  for (const permission of after['x-required-permissions'] ?? []) {
    if (!permissions.includes(permission)) changes.push(`${where} now needs ${permission}`);
  }
  const taken = new Set((after.security ?? []).map((entry) => JSON.stringify(Object.keys(entry).sort())));
  if (taken.size === 0) return;
  if (!before.security?.length && !taken.has('[]')) changes.push(`${where} now needs a credential`);
  for (const entry of before.security ?? []) {
    const credential = Object.keys(entry).sort();
    if (!taken.has(JSON.stringify(credential))) {
      changes.push(`${where} does not take ${credential.join(' with ')} any more`);
    }
  }
}

/** What in `after` can break a client written for `before` (two OpenAPI documents), a line each. */
export function breakingChanges(before, after) {
  const changes = [];
  const schemas = new SchemaComparison({ before, after }, changes);
  for (const [path, operations] of Object.entries(before.paths)) {
    for (const method of METHODS.filter((name) => operations[name])) {
      const where = `${method.toUpperCase()} ${path}`;
      const [old, fresh] = [operations[method], after.paths[path]?.[method]];
      if (!fresh) {
        changes.push(`${where} is gone`);
        continue;
      }
      if (fresh.operationId !== old.operationId) {
        changes.push(`${where}: operationId is now ${fresh.operationId} (was ${old.operationId})`);
      }
      compareParameters(where, old, fresh, changes, schemas);
      compareBody(where, old, fresh, changes, schemas);
      compareResponses(where, answersOf(before, old), answersOf(after, fresh), changes, schemas);
      compareAccess(where, old, fresh, changes);
    }
  }
  return changes;
}
