import { Module } from '@nestjs/common';
import { ErrorDocsController } from './error-docs.controller.js';

/** What people read about the API: the OpenAPI document, Swagger UI, and a page for each error. */
@Module({ controllers: [ErrorDocsController] })
export class ApiDocsModule {}
