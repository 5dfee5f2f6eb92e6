import { type DynamicModule, Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { HealthController } from './health.controller.js';
import { ProcessMetrics } from './cluster-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { Log } from './log.js';
import { Readiness } from './readiness.js';

/** Logs, metrics and health of one server process. */
@Global()
@Module({})
export class ObservabilityModule {
  static with(log: Log): DynamicModule {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    return {
      module: ObservabilityModule,
      controllers: [HealthController],
      providers: [
        { provide: Log, useValue: log },
        { provide: Registry, useValue: registry },
        Readiness,
        { provide: ProcessMetrics, useFactory: () => new ProcessMetrics(registry) },
        { provide: HttpMetrics, useFactory: () => new HttpMetrics(registry) },
      ],
      exports: [Log, Registry, HttpMetrics, ProcessMetrics, Readiness],
    };
  }
}
