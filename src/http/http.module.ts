import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorDocsController } from './error-docs.controller.js';
import { ErrorFilter } from './error.filter.js';
import { RouteTable } from './route-table.js';
import { BodyValidationPipe } from './validation.js';

/** Errors, validation and the table of routes, for every feature. */
@Global()
@Module({
  controllers: [ErrorDocsController],
  providers: [
    RouteTable,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: BodyValidationPipe },
  ],
  exports: [RouteTable],
})
export class HttpModule {}
