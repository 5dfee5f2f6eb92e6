import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AdmissionService } from './admission.service.js';
import { AnswerSigningService } from './answer-signing.service.js';
import { BodyArrivalsService } from './body-arrivals.service.js';
import { ErrorFilter } from './error.filter.js';
import { HttpMetrics } from './http.metrics.js';
import { InProcessRequestsService } from './in-process-requests.service.js';
import { RouteTableService } from './route-table.service.js';
import { RequestValidationPipe } from './validation.pipe.js';

@Global()
@Module({
  providers: [
    RouteTableService,
    HttpMetrics,
    AnswerSigningService,
    AdmissionService,
    BodyArrivalsService,
    InProcessRequestsService,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
  ],
  exports: [
    RouteTableService,
    HttpMetrics,
    AnswerSigningService,
    AdmissionService,
    BodyArrivalsService,
    InProcessRequestsService,
  ],
})
export class HttpModule {}
