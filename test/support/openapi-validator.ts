import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';
import { refusedOperations } from '../../src/customers/not-offered/refused-operations.js';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

interface ResponseLike {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

interface OperationLike {
  responses: Record<string, ResponseLike>;
}

interface KnownRoute {
  pattern: RegExp;
  path: string;
  literalSegments: number;
  operations: Record<string, OperationLike>;
}

const refused = refusedOperations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^/v2/projects/[^/]+/${path.replaceAll(/:[^/]+/g, '[^/]+')}$`),
}));

/** Refused operations of the vendor are not in the document. */
function isRefused(method: string, path: string): boolean {
  return refused.some((operation) => operation.method === method && operation.pattern.test(path));
}

const validators = new WeakMap<OpenAPIObject, OpenApiValidator>();

/** One for all servers of a document, since compiling schemas takes long. */
export function openApiValidatorOf(document: OpenAPIObject): OpenApiValidator {
  const validator = validators.get(document) ?? new OpenApiValidator(document);
  validators.set(document, validator);
  return validator;
}

/** Checks answers against the served OpenAPI document: path, method, status and body. */
export class OpenApiValidator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly routes: KnownRoute[];
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
    this.routes = Object.entries(document.paths)
      .map(([path, operations]) => ({
        path,
        operations: operations as Record<string, OperationLike>,
        pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
        literalSegments: path.split('/').filter((segment) => !segment.startsWith('{')).length,
      }))
      .sort((a, b) => b.literalSegments - a.literalSegments);
  }

  /** Problems of an answer; empty when the document describes it. Unknown routes are the caller's business. */
  problems(method: string, url: string, status: number, body: unknown): string[] {
    if (method === 'OPTIONS') return [];
    const path = url.split('?')[0] ?? url;
    const route = this.routes.find(
      ({ pattern, operations }) => pattern.test(path) && operations[method.toLowerCase()],
    );
    if (!route)
      return status === 404 || status === 405 || isRefused(method, path)
        ? []
        : [`${method} ${path} is not in the OpenAPI document`];
    const name = `${method} ${route.path} ${status}`;
    const response = route.operations[method.toLowerCase()]?.responses[String(status)];
    if (!response) return [`${name} is not documented`];
    const schema = this.resolved(response).content?.['application/json']?.schema;
    if (!schema) return [];
    return this.bodyProblems(name, schema, body);
  }

  /** Problems of an object that a schema of the document describes. */
  schemaProblems(name: string, body: unknown): string[] {
    return this.bodyProblems(name, { $ref: `#/components/schemas/${name}` }, body);
  }

  private bodyProblems(name: string, schema: object, body: unknown): string[] {
    const validate = this.compile(name, schema);
    if (validate(body)) return [];
    return (validate.errors ?? []).map((error) => `${name}: ${error.instancePath} ${error.message ?? ''}`);
  }

  /** A response that many operations share stands among the components. */
  private resolved(response: ResponseLike): ResponseLike {
    const name = response.$ref?.split('/').at(-1);
    return name === undefined ? response : (this.document.components?.responses?.[name] as ResponseLike);
  }

  private compile(name: string, schema: object): ValidateFunction {
    const known = this.compiled.get(name);
    if (known) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
    const validate = this.ajv.compile(JSON.parse(text) as object);
    this.compiled.set(name, validate);
    return validate;
  }
}
