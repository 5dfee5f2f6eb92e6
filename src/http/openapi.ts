import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The OpenAPI 3.1 document, made from the controllers and DTOs. */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tenure')
    .setDescription('Self-hostable backend for in-app purchases and subscriptions.')
    .setVersion('0.1.0')
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
  return SwaggerModule.createDocument(app, settings);
}

/** Serves the document at /openapi.json and Swagger UI at /docs. */
export function serveOpenApi(app: INestApplication, document: OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Tenure API',
  });
}
