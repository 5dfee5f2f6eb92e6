import { isJsonObject } from '../../../../libs/kernel/index.js';
import { messageOf } from './message.js';
import { scimError } from './scim-error.js';

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1000;
const kinds = ['add', 'replace', 'remove'] as const;

export interface PatchOperation {
  op: (typeof kinds)[number];
  /** Null if the value is an object of attributes. */
  path: string | null;
  /** Undefined if absent. */
  value: unknown;
}

function operationOf(item: unknown): PatchOperation {
  if (!isJsonObject(item)) throw scimError('invalidSyntax', 'Each operation must be an object.');
  const { path, value } = item;
  const op = kinds.find((kind) => typeof item.op === 'string' && item.op.toLowerCase() === kind);
  if (!op) throw scimError('invalidSyntax', 'op must be add, replace or remove.');
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw scimError('invalidPath', 'path must be a text.');
  if (op !== 'remove' && value === undefined)
    throw scimError('invalidValue', `An operation with op ${op} needs a value.`);
  return { op, path: path ?? null, value };
}

/** Parses the operations of a PATCH request (RFC 7644, 3.5.2). @throws ApiError 400 */
export function operationsOf(body: unknown): PatchOperation[] {
  const message = messageOf(body, PATCH_SCHEMA);
  const operations = message.Operations ?? message.operations;
  if (!Array.isArray(operations)) throw scimError('invalidSyntax', 'Operations must be a list.');
  if (operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw scimError('invalidSyntax', `Operations must have 1 to ${MAX_OPERATIONS} elements.`);
  return operations.map(operationOf);
}
