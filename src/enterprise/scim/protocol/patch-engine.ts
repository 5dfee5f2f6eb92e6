import { isJsonObject, type JsonObject, type JsonValue } from '../../../../libs/kernel/index.js';
import { type Attribute, attributeNamed } from './attribute.js';
import type { PatchOperation } from './patch-body.js';
import { changedList } from './patch-list.js';
import { invalidPath, parsePatchPath, type PatchPath } from './patch-path.js';
import { extensionOf, isUrn, type ResourceType } from './resource-type.js';
import { scimError } from './scim-error.js';
import { isIgnored, pruned, valueOf } from './values.js';

/** An operation on an attribute. The path is sent, or is a name in the value of an operation without a path. */
export interface AttributeChange {
  op: PatchOperation['op'];
  path: PatchPath;
  value: unknown;
}

/** Members are stored outside the resource, so that changing one does not rewrite the others. */
export type MembersPatch = (change: AttributeChange) => void;

function put(holder: JsonObject, name: string, value: JsonValue | undefined): void {
  if (value === undefined) delete holder[name];
  else holder[name] = value;
}

function objectAt(holder: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  return isJsonObject(value) ? value : {};
}

/** Changes a complex value part by part; null removes a part. */
function changeComplex(holder: JsonObject, attribute: Attribute, value: unknown): void {
  if (!isJsonObject(value)) return put(holder, attribute.name, valueOf(attribute, value));
  const changed = { ...objectAt(holder, attribute.name) };
  for (const [name, inner] of Object.entries(value)) {
    const part = attributeNamed(attribute.subAttributes ?? [], name);
    if (part) put(changed, part.name, valueOf(part, inner, `${attribute.name}.${part.name}`));
  }
  put(holder, attribute.name, pruned(changed));
}

function changeSingle(holder: JsonObject, attribute: Attribute, { op, path, value }: AttributeChange): void {
  const { subAttribute } = path;
  if (subAttribute) {
    const changed = { ...objectAt(holder, attribute.name) };
    put(changed, subAttribute.name, op === 'remove' ? undefined : valueOf(subAttribute, value));
    return put(holder, attribute.name, pruned(changed));
  }
  if (op === 'remove') delete holder[attribute.name];
  else if (attribute.type === 'complex') changeComplex(holder, attribute, value);
  else put(holder, attribute.name, valueOf(attribute, value));
}

/** Changes an attribute of an extension whose schema this server does not know. */
function changeUnknown(holder: JsonObject, name: string, { op, path, value }: AttributeChange): void {
  if (path.sub !== null) {
    const changed = { ...objectAt(holder, name) };
    put(changed, path.sub, op === 'remove' ? undefined : pruned(value));
    return put(holder, name, pruned(changed));
  }
  const present = Object.hasOwn(holder, name) ? holder[name] : undefined;
  const given = op === 'remove' ? undefined : pruned(value);
  const isAppended = op === 'add' && Array.isArray(present) && Array.isArray(given);
  put(holder, name, isAppended ? [...present, ...given] : given);
}

class Patch {
  constructor(
    private readonly type: ResourceType,
    private readonly resource: JsonObject,
    private readonly members: MembersPatch | null,
  ) {}

  apply({ op, path: text, value }: PatchOperation): void {
    if (text === null) return this.merge(op, value);
    const path = parsePatchPath(this.type, text, this.resource);
    if (path === null) throw invalidPath(text);
    if (path.attribute?.mutability === 'readOnly' && path.name !== 'schemas')
      throw scimError('mutability', `${path.name} cannot be changed.`);
    this.change({ op, path, value });
  }

  /** Ignores names that no schema has, as a PUT does. */
  private merge(op: PatchOperation['op'], value: unknown): void {
    if (op === 'remove') throw scimError('noTarget', 'An operation with op remove needs a path.');
    if (!isJsonObject(value))
      throw scimError('invalidSyntax', 'The value of an operation without a path must be an object.');
    for (const [name, inner] of Object.entries(value)) {
      if (isUrn(name) && isJsonObject(inner) && name.toLowerCase() === this.type.core.id.toLowerCase()) {
        this.merge(op, inner);
        continue;
      }
      const path =
        isUrn(name) && isJsonObject(inner) && !this.isOfKnown(name)
          ? { extension: name, name: null, sub: null, attribute: null, subAttribute: null, filter: null }
          : parsePatchPath(this.type, name, this.resource);
      if (path) this.change({ op, path, value: inner });
    }
  }

  private isOfKnown(urn: string): boolean {
    const schemas = [this.type.core, ...this.type.extensions];
    return schemas.some(({ id }) => urn.toLowerCase().startsWith(id.toLowerCase()));
  }

  private change(change: AttributeChange): void {
    const { path } = change;
    const { attribute, name, extension } = path;
    if (attribute && isIgnored(attribute)) return;
    if (extension === null && name === 'members' && this.members) return this.members(change);
    if (name === null) return this.changeExtension(change);
    const holder = extension === null ? this.resource : { ...objectAt(this.resource, extension) };
    if (!attribute) changeUnknown(holder, name, change);
    else if (attribute.multiValued)
      put(holder, attribute.name, changedList(holder[attribute.name], { ...change, attribute }));
    else changeSingle(holder, attribute, change);
    if (extension !== null) put(this.resource, extension, pruned(holder));
  }

  private changeExtension({ op, path, value }: AttributeChange): void {
    const urn = path.extension ?? '';
    if (op === 'remove' || value === null) return put(this.resource, urn, undefined);
    if (!isJsonObject(value)) throw scimError('invalidValue', `${urn} must be an object.`);
    const known = extensionOf(this.type, urn);
    for (const [name, inner] of Object.entries(value)) {
      const attribute = known && attributeNamed(known.attributes, name);
      if (known && !attribute) continue;
      const inside = {
        extension: urn,
        name: attribute?.name ?? name,
        sub: null,
        attribute,
        subAttribute: null,
      };
      this.change({ op, path: { ...inside, filter: null }, value: inner });
    }
  }
}

/**
 * Returns the resource after all operations, without changing `resource`.
 * @throws ApiError 400 for the first that fails
 */
export function patched(
  type: ResourceType,
  resource: JsonObject,
  operations: readonly PatchOperation[],
  members: MembersPatch | null = null,
): JsonObject {
  const changed = structuredClone(resource);
  const patch = new Patch(type, changed, members);
  for (const operation of operations) patch.apply(operation);
  return changed;
}
