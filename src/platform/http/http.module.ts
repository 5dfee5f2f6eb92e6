import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AdmissionService } from './pipeline/admission.service.js';
import { AnswerSigningService } from './pipeline/answer-signing.service.js';
import { BodyArrivalsService } from './pipeline/body-arrivals.service.js';
import { ErrorFilter } from './errors/error.filter.js';
import { HttpMetrics } from './pipeline/http.metrics.js';
import { InProcessRequestsService } from './pipeline/in-process-requests.service.js';
import { RouteTableService } from './pipeline/route-table.service.js';
import { RequestValidationPipe } from './bodies/validation.pipe.js';

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
