import { isJsonObject } from '../../../libs/kernel/index.js';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Application, Request, Response } from 'express';
import { OpenApiDocumentService } from './openapi-document.service.js';
import { introduction } from './openapi-introduction.js';
import { addCommonRules } from './openapi-rules.js';
import { openApiTags } from './openapi-tags.js';
import { withAdditions } from './openapi-additions.js';

type Schema = Record<string, unknown>;

/** Version of the API itself, which changes independently of the server's version. */
const DOCUMENT_VERSION = '0.1.0';

/** OpenAPI 3.1 is JSON Schema: null is a type, and the `nullable` of the decorators no longer exists. */
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

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

function byName<Value>(object: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byMethod<Value>(operations: Record<string, Value>): Record<string, Value> {
  const entries = Object.entries(operations);
  return Object.fromEntries(entries.sort(([a], [b]) => METHODS.indexOf(a) - METHODS.indexOf(b)));
}

/** Sorts paths by name and puts reads before writes, so that the order does not depend on the source files. */
function inOrder(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(byName(document.paths)).map(
    ([path, item]) => [path, byMethod({ ...item })] as const,
  );
  const schemas = byName(document.components?.schemas ?? {});
  // Without the enterprise edition, the tags of its operations are unused.
  const used = new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );
  const tags = document.tags?.filter(({ name }) => used.has(name));
  return {
    ...document,
    tags,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas },
  };
}

function settings(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tenure')
    .setDescription(introduction)
    .setVersion(DOCUMENT_VERSION)
    .addServer('/', 'This server')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'public key of an app',
        description:
          'The public key of an app, as the SDKs send it. It is not secret and can be part of the app.',
      },
      'public_key',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'access token of a customer',
        description:
          'The access token of a customer who signed in with `POST /v1/auth/login`. It is valid for an hour, for one customer of one app.',
      },
      'customer_token',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'secret key (sk_...)',
        description:
          'A secret key of a project, which starts with `sk_`. For backends only: keep it out of apps and browsers. It has the permissions chosen at its creation.',
      },
      'secret_key',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'access token of an OAuth client (atk_...)',
        description:
          'The access token of a client that a user authorized for one project (docs/oauth.md). It is valid for an hour, and allows what both its scopes and the role of the user permit.',
      },
      'oauth_token',
    )
    .addCookieAuth(
      'rd_session',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session of a user. `POST /auth/login` sets the cookie; the browser sends it automatically, so there is nothing to enter here.',
      },
      'session',
    );
  for (const { name, description } of openApiTags) builder.addTag(name, description);
  return builder.build();
}

export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, settings(), { autoTagControllers: false });
  addCommonRules(document);
  return inOrder(nullableAsType(withAdditions(document)) as OpenAPIObject);
}

async function sendDocument(
  documents: OpenApiDocumentService,
  request: Request,
  response: Response,
): Promise<void> {
  const { etag, plain, gzip } = await documents.serialized();
  response.set({ ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
  response.type('application/json');
  // Not `request.fresh`: clients that set the header themselves often add `Cache-Control: no-cache`.
  if (request.headers['if-none-match']?.includes(etag)) return void response.status(304).end();
  const isCompressed = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.end(isCompressed ? gzip : plain);
}

export function serveOpenApi(app: NestExpressApplication): void {
  const documents = app.get(OpenApiDocumentService);
  const path = '/openapi.json';
  const express = app.getHttpAdapter().getInstance() as Application;
  express.get(path, (request, response, next) => {
    sendDocument(documents, request, response).catch(next);
  });
  // The page fetches the document instead of embedding it.
  SwaggerModule.setup('docs', app, () => undefined as unknown as OpenAPIObject, {
    raw: false,
    swaggerUrl: path,
    customSiteTitle: 'Tenure API',
    swaggerOptions: {
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      filter: true,
      persistAuthorization: true,
      tryItOutEnabled: true,
    },
  });
}
