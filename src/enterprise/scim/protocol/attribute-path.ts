import { type Attribute, attributeNamed, isUnsafeName } from './attribute.js';
import { coreAttribute, extensionOf, isUrn, type ResourceType } from './resource-type.js';

/** Path of a value in a resource: `emails.value`, `urn:...:User:department`. Names use the schema's spelling. */
export interface AttributePath {
  /** URN of an extension; null for core attributes. */
  extension: string | null;
  /** Null selects the whole extension. */
  name: string | null;
  sub: string | null;
  /** Definition in the schema; null for attributes of extensions that this server does not know. */
  attribute: Attribute | null;
  subAttribute: Attribute | null;
}

const NAME = /^(?:[a-z][\w-]*|\$ref)$/i;

/** Splits at the colon after the URN, which is the URN of a known schema or everything before the last colon. */
function splitUrn(type: ResourceType, text: string): { urn: string; rest: string | null } {
  const known = [type.core, ...type.extensions].find(({ id }) => {
    const start = text.slice(0, id.length).toLowerCase();
    return start === id.toLowerCase() && (text.length === id.length || text[id.length] === ':');
  });
  if (known) {
    return { urn: known.id, rest: text.length === known.id.length ? null : text.slice(known.id.length + 1) };
  }
  const colon = text.lastIndexOf(':');
  return { urn: text.slice(0, colon), rest: text.slice(colon + 1) };
}

/** Returns null for an attribute that no schema has, and `'malformed'` for an invalid path. */
export function parseAttributePath(type: ResourceType, text: string): AttributePath | null | 'malformed' {
  const { urn, rest } = isUrn(text) ? splitUrn(type, text) : { urn: null, rest: text };
  const isCore = urn === null || urn === type.core.id;
  if (urn !== null && !isCore && rest === null) {
    return { extension: urn, name: null, sub: null, attribute: null, subAttribute: null };
  }
  const names = rest?.split('.') ?? [];
  const [name, sub = null, ...more] = names;
  if (name === undefined || more.length > 0) return 'malformed';
  if (names.some((part) => !NAME.test(part) || isUnsafeName(part))) return 'malformed';
  const known = isCore ? null : extensionOf(type, urn);
  if (!isCore && !known) return { extension: urn, name, sub, attribute: null, subAttribute: null };
  const attribute = known ? attributeNamed(known.attributes, name) : coreAttribute(type, name);
  if (!attribute) return null;
  const extension = known?.id ?? null;
  if (sub === null) return { extension, name: attribute.name, sub, attribute, subAttribute: null };
  const subAttribute = attributeNamed(attribute.subAttributes ?? [], sub);
  return subAttribute && { extension, name: attribute.name, sub: subAttribute.name, attribute, subAttribute };
}
