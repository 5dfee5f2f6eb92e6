import { type DynamicModule, Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ProcessMetrics } from './cluster-metrics.js';
import { LogService } from './log.service.js';
import { ReadinessService } from './readiness.service.js';

/** Reports the busiest of several processes that share a port; an average would hide it. */
function reportWorstLag(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    if (metric.aggregator === 'average') metric.aggregator = 'max';
  }
}

function countProcess(registers: Registry): void {
  const help =
    'Processes whose figures these are: fewer than are configured while one starts or does not answer.';
  new Gauge({ name: 'tenure_processes', help, registers: [registers] }).set(1);
}

@Global()
@Module({})
export class ObservabilityModule {
  static with(log: LogService): DynamicModule {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    reportWorstLag(registry);
    countProcess(registry);
    return {
      module: ObservabilityModule,
      providers: [
        { provide: LogService, useValue: log },
        { provide: Registry, useValue: registry },
        ReadinessService,
        { provide: ProcessMetrics, useFactory: () => new ProcessMetrics(registry) },
      ],
      exports: [LogService, Registry, ProcessMetrics, ReadinessService],
    };
  }
}
