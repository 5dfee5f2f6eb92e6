import type { OpenAPIObject } from '@nestjs/swagger';
import { isJsonObject } from '../../../libs/kernel/index.js';
import type { OauthScope } from '../../platform/principal/oauth-scopes.js';
import type { Permission } from '../../platform/principal/permissions.js';
import type { ArgumentPlace, RestOperation, Schema } from './tool.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  'x-required-permissions'?: Permission[];
  'x-required-scope'?: OauthScope;
}

const IN_DOCUMENT = /^#\/components\/schemas\//;
/** Keywords that are useful only to readers of the OpenAPI document. */
const LEFT_OUT = new Set(['example', 'examples', 'default']);
/** REST looks up any path parameter, whatever its length. */
const MAX_ID_LENGTH = 255;

/** Reads operations from the OpenAPI document, so that tools share the names, bounds and enumerations of REST. */
export class RestOperations {
  private readonly byId = new Map<string, RestOperation>();

  constructor(private readonly document: OpenAPIObject) {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
        const { operationId } = operation;
        if (operationId) this.byId.set(operationId, this.read(operationId, method, path, operation));
      }
    }
  }

  get(id: string): RestOperation {
    const found = this.byId.get(id);
    if (!found) throw new Error(`There is no operation ${id}.`);
    return found;
  }

  private read(id: string, method: string, path: string, operation: Operation): RestOperation {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
    const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
    const placeOf = (name: string): ArgumentPlace | null => {
      const parameter = parameters.find((candidate) => candidate.name === name);
      if (parameter) return { in: parameter.in as 'path' | 'query', keys: [name] };
      const keys = name.split('.');
      return body && this.fieldOf(body, keys) ? { in: 'body', keys } : null;
    };
    return {
      id,
      method: method.toUpperCase(),
      path,
      permissions: operation['x-required-permissions'] ?? [],
      scope: operation['x-required-scope'],
      placeOf,
      schemaOf: (name) => {
        const parameter = parameters.find((candidate) => candidate.name === name);
        if (parameter) return this.ofParameter(parameter);
        return body ? this.fieldOf(body, name.split('.')) : null;
      },
    };
  }

  private ofParameter(parameter: Parameter): { schema: Schema; required: boolean } {
    const { description, required = false, schema = {} } = parameter;
    const bounds = parameter.in === 'path' ? { minLength: 1, maxLength: MAX_ID_LENGTH } : {};
    return { schema: { ...this.inlined(schema), ...bounds, description }, required };
  }

  /** A field of a body. Nested fields are never required on their own. */
  private fieldOf(body: Schema, keys: string[]): { schema: Schema; required: boolean } | null {
    const [key = '', ...rest] = keys;
    const object = this.objectOf(body);
    const properties = (object.properties ?? {}) as Record<string, Schema>;
    const property = properties[key];
    if (!property) return null;
    if (rest.length > 0) {
      const inner = this.fieldOf(property, rest);
      return inner && { ...inner, required: false };
    }
    const required = ((object.required ?? []) as string[]).includes(key);
    return { schema: this.inlined(property), required };
  }

  /** Resolves references and `null` alternatives to an object schema. */
  private objectOf(schema: Schema): Schema {
    const { $ref, allOf, anyOf } = schema;
    if (typeof $ref === 'string') return this.objectOf(this.component($ref));
    const alternatives = (allOf ?? anyOf) as Schema[] | undefined;
    return alternatives?.[0] ? this.objectOf(alternatives[0]) : schema;
  }

  private component(reference: string): Schema {
    const found = this.document.components?.schemas?.[reference.replace(IN_DOCUMENT, '')];
    if (!found) throw new Error(`There is no schema ${reference}.`);
    return found as unknown as Schema;
  }

  /** Inlines references, because clients need a self-contained schema. */
  private inlined(schema: Schema): Schema {
    return this.inlinedValue(schema) as Schema;
  }

  private inlinedValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.inlinedValue(inner));
    if (!isJsonObject(value)) return value;
    if (typeof value.$ref === 'string') return this.inlinedValue(this.component(value.$ref));
    const entries = Object.entries(value)
      .filter(([keyword]) => !LEFT_OUT.has(keyword))
      .map(([keyword, inner]) => [
        keyword,
        keyword === 'properties' ? this.inlinedProperties(inner) : this.inlinedValue(inner),
      ]);
    return Object.fromEntries(entries) as Schema;
  }

  /** Keys of `properties` are field names, not keywords. */
  private inlinedProperties(properties: unknown): unknown {
    const entries = Object.entries(properties as Record<string, Schema>);
    return Object.fromEntries(entries.map(([name, schema]) => [name, this.inlinedValue(schema)]));
  }
}
