import { Module } from '@nestjs/common';
import { ErrorDocsController } from './error-docs.controller.js';

/** The API's documentation: the OpenAPI document, Swagger UI and a page for each error. */
@Module({ controllers: [ErrorDocsController] })
export class ApiDocsModule {}
