import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { Admission } from './admission.js';
import { AnswerSigning } from './answer-signing.js';
import { BodyArrivals } from './body-arrivals.js';
import { ErrorFilter } from './error.filter.js';
import { HttpMetrics } from './http-metrics.js';
import { RouteTable } from './route-table.js';
import { RequestValidationPipe } from './validation.js';

/** Errors, validation, the route table, admission and SDK answer signing, for every feature. */
@Global()
@Module({
  providers: [
    RouteTable,
    HttpMetrics,
    AnswerSigning,
    Admission,
    BodyArrivals,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
  ],
  exports: [RouteTable, HttpMetrics, AnswerSigning, Admission, BodyArrivals],
})
export class HttpModule {}
