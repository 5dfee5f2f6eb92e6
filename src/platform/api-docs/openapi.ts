import { VERSION } from '../config/version.js';
import { isJsonObject } from '../../../libs/kernel/index.js';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { addCommonRules } from './openapi-rules.js';

type Schema = Record<string, unknown>;

/**
 * OpenAPI 3.1 is JSON Schema: null is a type, and the `nullable` that the annotations speak of does not
 * exist any more.
 */
function nullableAsType(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nullableAsType);
  if (!isJsonObject(node)) return node;
  const copy: Schema = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, nullableAsType(value)]),
  );
  if (typeof copy.nullable !== 'boolean') return copy;
  const { nullable, ...schema } = copy;
  if (!nullable) return schema;
  if (typeof schema.type === 'string') {
    const withNull = { ...schema, type: [schema.type, 'null'] };
    return Array.isArray(schema.enum) && !schema.enum.includes(null)
      ? { ...withNull, enum: [...(schema.enum as unknown[]), null] }
      : withNull;
  }
  const { description, ...rest } = schema;
  return { description, anyOf: [rest, { type: 'null' }] };
}

/** The OpenAPI 3.1 document, made from the controllers and DTOs. */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tenure')
    .setDescription('Self-hostable backend for in-app purchases and subscriptions.')
    .setVersion(VERSION)
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Public key of an app' }, 'public_key')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'Secret key of a project (`sk_...`)' },
      'secret_key',
    )
    .addCookieAuth(
      'rd_session',
      { type: 'apiKey', in: 'cookie', description: 'Dashboard session' },
      'session',
    )
    .build();
  const document = SwaggerModule.createDocument(app, settings, { autoTagControllers: false });
  addCommonRules(document);
  return nullableAsType(document) as OpenAPIObject;
}

/** Serves the document at /openapi.json and Swagger UI at /docs. */
export function serveOpenApi(app: INestApplication, document: OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Tenure API',
  });
}
