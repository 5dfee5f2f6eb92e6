import { isJsonObject } from '../../kernel/index.js';
import { below, lastKey } from './pointer.js';

/** The keywords of JSON Schema that the schema of paywalls uses; a spec compares them with a full validator. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export type Breach = readonly [path: string, message: string];

const typeNames: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'object') return isJsonObject(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function typesOf({ type = [] }: Schema): string[] {
  return [type].flat();
}

function nameOf(path: string): string {
  const key = lastKey(path);
  if (key === '') return 'The document';
  return /^\d+$/.test(key) ? `Item ${Number(key) + 1} of the list` : `\`${key}\``;
}

function entries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`;
}

/**
 * Checks values against a schema by walking both. Compiling the schema to code, as validators do, takes most of a second
 * and 30 MB for a check of milliseconds.
 */
export class SchemaRules {
  private readonly patterns = new Map<string, RegExp>();

  constructor(private readonly definitions: Readonly<Record<string, Schema>>) {}

  /** Breaches in the order of the document, found as they are read. */
  *breaches(reference: Schema, value: unknown, path = ''): Generator<Breach, void> {
    const schema = this.resolved(reference);
    if (schema.const !== undefined || schema.enum) {
      const allowed = schema.enum ?? [schema.const];
      if (!allowed.includes(value)) yield [path, `${nameOf(path)} must be ${allowedNames(allowed)}.`];
      return;
    }
    const types = typesOf(schema);
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      yield [path, `${nameOf(path)} must be ${types.map((type) => typeNames[type]).join(' or ')}.`];
    } else if (schema.oneOf) {
      yield* schema.discriminator
        ? this.taggedUnion(schema, schema.discriminator.propertyName, value, path)
        : this.union(schema.oneOf, value, path);
    } else if (typeof value === 'string') yield* this.text(schema, value, path);
    else if (typeof value === 'number') yield* this.number(schema, value, path);
    else if (Array.isArray(value)) yield* this.list(schema, value, path);
    else if (isJsonObject(value)) yield* this.object(schema, value, path);
  }

  private resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    return this.definitions[schema.$ref.slice('#/$defs/'.length)] ?? {};
  }

  private isValid(schema: Schema, value: unknown): boolean {
    return this.breaches(schema, value).next().done === true;
  }

  /** The tag chooses the branch, so that only its breaches are reported. */
  private *taggedUnion(schema: Schema, tag: string, value: unknown, path: string): Generator<Breach, void> {
    if (!isJsonObject(value) || !Object.hasOwn(value, tag)) {
      yield [path, `\`${tag}\` is missing.`];
      return;
    }
    const branches = (schema.oneOf ?? []).map((branch) => {
      const { const: only, enum: several = [only] } = this.resolved(branch).properties?.[tag] ?? {};
      return { branch, tags: several };
    });
    const chosen = branches.find(({ tags }) => tags.includes(value[tag]));
    if (chosen) yield* this.breaches(chosen.branch, value, path);
    else {
      const at = below(path, tag);
      yield [at, `${nameOf(at)} must be ${allowedNames(branches.flatMap(({ tags }) => tags))}.`];
    }
  }

  /** Reported once; which of the branches was meant is unknown. */
  private *union(branches: Schema[], value: unknown, path: string): Generator<Breach, void> {
    if (branches.filter((branch) => this.isValid(branch, value)).length === 1) return;
    const choices = branches.map(({ $ref, enum: values, type }) => {
      if ($ref !== undefined) return 'an image';
      return values ? allowedNames(values) : typeNames[String(type)];
    });
    yield [path, `${nameOf(path)} must be ${choices.join(' or ')}.`];
  }

  private *text(schema: Schema, value: string, path: string): Generator<Breach, void> {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
    const length = [...value].length;
    if (length < minLength) yield [path, `${nameOf(path)} must not be empty.`];
    if (length > maxLength) yield [path, `${nameOf(path)} may have at most ${maxLength} characters.`];
    if (pattern !== undefined && !this.regExp(pattern).test(value))
      yield [path, `${nameOf(path)} must match ${pattern}.`];
  }

  private regExp(pattern: string): RegExp {
    let regExp = this.patterns.get(pattern);
    if (!regExp) {
      regExp = new RegExp(pattern, 'u');
      this.patterns.set(pattern, regExp);
    }
    return regExp;
  }

  private *number(schema: Schema, value: number, path: string): Generator<Breach, void> {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    if (value < minimum) yield [path, `${nameOf(path)} must be at least ${minimum}.`];
    if (value > maximum) yield [path, `${nameOf(path)} must be at most ${maximum}.`];
  }

  private *list(schema: Schema, value: unknown[], path: string): Generator<Breach, void> {
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    yield* size(value.length, minItems, maxItems, path);
    for (const [index, item] of value.entries()) yield* this.breaches(items, item, below(path, index));
  }

  private *object(schema: Schema, value: Record<string, unknown>, path: string): Generator<Breach, void> {
    const { properties = {}, required = [], propertyNames, additionalProperties = {} } = schema;
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const keys = Object.keys(value);
    yield* size(keys.length, minProperties, maxProperties, path);
    for (const name of required) {
      if (!Object.hasOwn(value, name)) yield [path, `\`${name}\` is missing.`];
    }
    for (const key of keys) {
      const at = below(path, key);
      const part = (Object.hasOwn(properties, key) && properties[key]) || additionalProperties;
      if (propertyNames && !this.isValid(propertyNames, key))
        yield [at, `\`${key}\` is not a valid name here.`];
      if (part) yield* this.breaches(part, value[key], at);
      else yield [at, `\`${key}\` is not known here.`];
    }
  }
}

function allowedNames(allowed: readonly unknown[]): string {
  if (allowed.length === 1) return JSON.stringify(allowed[0]);
  return `one of ${[...new Set(allowed)].join(', ')}`;
}

function* size(count: number, min: number, max: number, path: string): Generator<Breach, void> {
  if (count < min) yield [path, `${nameOf(path)} needs at least ${entries(min)}.`];
  if (count > max) yield [path, `${nameOf(path)} may have at most ${entries(max)}.`];
}
