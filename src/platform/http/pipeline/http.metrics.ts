import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import type { ApiFormat } from './request.js';

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface AnsweredRequest {
  api: ApiFormat;
  method: string;
  route: string;
  status: number;
}

/** Counts and durations of requests by route pattern, because paths contain ids and would create unbounded series. */
@Injectable()
export class HttpMetrics {
  private readonly duration: Histogram;
  private readonly requests: Counter;

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'tenure_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labelNames: ['api', 'method', 'route'],
      buckets: BUCKETS_S,
      registers: [registry],
    });
    this.requests = new Counter({
      name: 'tenure_http_requests_total',
      help: 'Requests that have ended; status 499: the client did not wait for the answer.',
      labelNames: ['api', 'method', 'route', 'status'],
      registers: [registry],
    });
  }

  observe({ status, ...route }: AnsweredRequest, durationMs: number): void {
    this.duration.observe(route, durationMs / 1000);
    this.requests.inc({ ...route, status });
  }
}
