/**
 * Finds the changes between two versions of a JSON schema that break clients. In a request, the new schema must accept
 * everything that the old one accepted; in a response, the old one must describe everything that the new one can return.
 * New values of an enumeration in a response do not count: clients must expect them.
 */

/** Bounds and the direction in which they get narrower. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];

function typesOf({ type }) {
  return type === undefined ? null : new Set([type].flat());
}

function includesType(types, type) {
  return types === null || types.has(type) || (type === 'integer' && types.has('number'));
}

/** The name by which a variant of anyOf or oneOf is found again. */
function labelOf(schema) {
  if (schema.$ref) return schema.$ref;
  if (schema.enum) return `enum ${JSON.stringify(schema.enum)}`;
  return `type ${[schema.type ?? 'any'].flat().join(' or ')}`;
}

export class SchemaComparison {
  /** `documents`: {before, after}, where references lead. Differences are pushed to `changes`. */
  constructor(documents, changes) {
    this.documents = documents;
    this.changes = changes;
    this.seen = new Set();
  }

  resolve(schema, document) {
    let found = schema;
    while (found?.$ref) {
      const path = found.$ref.slice(2).split('/');
      found = path.reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    }
    if (!found?.allOf) return found ?? {};
    const { allOf, ...rest } = found;
    return [rest, ...allOf.map((part) => this.resolve(part, document))].reduce((merged, part) => ({
      ...merged,
      ...part,
      properties: { ...merged.properties, ...part.properties },
      required: [...(merged.required ?? []), ...(part.required ?? [])],
    }));
  }

  /** `direction`: `request` or `response`; `where` names the place for people. */
  compare(where, before, after, direction) {
    if (before === undefined || after === undefined) return;
    if (before.$ref && after.$ref) {
      const key = `${direction} ${before.$ref} ${after.$ref}`;
      if (this.seen.has(key)) return;
      this.seen.add(key);
    }
    const [old, fresh] = [
      this.resolve(before, this.documents.before),
      this.resolve(after, this.documents.after),
    ];
    const [oldVariants, freshVariants] = [old.anyOf ?? old.oneOf, fresh.anyOf ?? fresh.oneOf];
    if (oldVariants || freshVariants) {
      this.compareVariants(where, oldVariants ?? [before], freshVariants ?? [after], direction);
      return;
    }
    this.compareTypes(where, old, fresh, direction);
    if (direction === 'request') this.compareBounds(where, old, fresh);
    this.compareProperties(where, old, fresh, direction);
    if (old.items && fresh.items) this.compare(`${where}[]`, old.items, fresh.items, direction);
    const [oldValues, freshValues] = [old.additionalProperties, fresh.additionalProperties];
    if (typeof oldValues === 'object' && typeof freshValues === 'object') {
      this.compare(`${where}.*`, oldValues, freshValues, direction);
    }
  }

  compareVariants(where, before, after, direction) {
    const find = (variants, variant) => variants.find((other) => labelOf(other) === labelOf(variant));
    for (const variant of before) {
      const counterpart = find(after, variant);
      if (counterpart) this.compare(where, variant, counterpart, direction);
      else if (direction === 'request')
        this.changes.push(`${where} does not take ${labelOf(variant)} any more`);
    }
    if (direction === 'request') return;
    for (const variant of after) {
      if (!find(before, variant)) this.changes.push(`${where} can now be ${labelOf(variant)}`);
    }
  }

  compareTypes(where, before, after, direction) {
    const [oldTypes, freshTypes] = [typesOf(before), typesOf(after)];
    const [given, taken] = direction === 'request' ? [oldTypes, freshTypes] : [freshTypes, oldTypes];
    if (taken !== null) {
      for (const type of given ?? ['any']) {
        if (includesType(taken, type)) continue;
        this.changes.push(
          direction === 'request' ? `${where} does not take ${type} any more` : `${where} can now be ${type}`,
        );
      }
    }
    if (direction === 'response' || !after.enum) return;
    const removed = (before.enum ?? ['any other value']).filter((value) => !after.enum.includes(value));
    for (const value of removed)
      this.changes.push(`${where} does not take ${JSON.stringify(value)} any more`);
  }

  compareBounds(where, before, after) {
    const narrower = [
      ...UPPER.filter((name) => after[name] !== undefined && after[name] < (before[name] ?? Infinity)),
      ...LOWER.filter((name) => after[name] !== undefined && after[name] > (before[name] ?? -Infinity)),
      ...['pattern', 'format'].filter((name) => after[name] !== undefined && after[name] !== before[name]),
    ];
    for (const name of narrower) {
      // A text of at least 0 characters is any text.
      if (after[name] === 0 && LOWER.includes(name) && name !== 'minimum') continue;
      this.changes.push(`${where}: ${name} is now ${after[name]} (was ${before[name] ?? 'not there'})`);
    }
  }

  compareProperties(where, before, after, direction) {
    const [oldRequired, freshRequired] = [new Set(before.required), new Set(after.required)];
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const place = `${where}.${name}`;
      const counterpart = after.properties?.[name];
      if (!counterpart) {
        if (after.properties || typesOf(after)?.has('object')) this.changes.push(`${place} is gone`);
        continue;
      }
      if (direction === 'response' && oldRequired.has(name) && !freshRequired.has(name)) {
        this.changes.push(`${place} can now be absent`);
      }
      this.compare(place, schema, counterpart, direction);
    }
    if (direction === 'response') return;
    for (const name of freshRequired) {
      if (!oldRequired.has(name)) this.changes.push(`${where}.${name} is now required`);
    }
  }
}
