import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { loadConfig } from '../../config/config.js';
import { LogService } from '../../observability/log.service.js';
import { AdmissionService } from './admission.service.js';

function admissionOf(limit: number) {
  const config = loadConfig({ SERVICE_MAX_REQUESTS_IN_FLIGHT: String(limit) });
  const lines: string[] = [];
  const registry = new Registry();
  const log = new LogService('warn', { write: (line: string) => lines.push(line) });
  const admission = new AdmissionService(config, log, registry);
  const ask = (method: string, originalUrl: string) => {
    const response = new EventEmitter() as unknown as Response;
    const isAdmitted = admission.admit({ method, originalUrl }, response);
    return { isAdmitted, end: () => void response.emit('close') };
  };
  return { admission, ask, lines, registry };
}

const receipt = ['POST', '/v1/receipts'] as const;
const read = ['GET', '/v1/subscribers/customer'] as const;

describe('admission', () => {
  it('refuses writes over the limit, until one that was admitted has been answered', () => {
    const { ask } = admissionOf(2);
    const first = ask(...receipt);
    expect([first.isAdmitted, ask(...receipt).isAdmitted, ask(...receipt).isAdmitted]).toEqual([
      true,
      true,
      false,
    ]);
    first.end();
    expect([ask(...receipt).isAdmitted, ask(...receipt).isAdmitted]).toEqual([true, false]);
  });

  it('continues to accept reads until twice as many are in progress', () => {
    const { ask } = admissionOf(2);
    const answers = Array.from({ length: 5 }, () => ask(...read).isAdmitted);
    expect(answers).toEqual([true, true, true, true, false]);
    expect(ask(...receipt).isAdmitted).toBe(false);
  });

  it('never refuses health checks, metrics and preflights', () => {
    const { ask } = admissionOf(1);
    for (let count = 0; count < 5; count++) ask(...read);
    for (const path of ['/healthz', '/readyz?full', '/metrics', '/v1/health', '/v1/health/connectivity']) {
      expect(ask('GET', path).isAdmitted).toBe(true);
    }
    expect(ask('OPTIONS', '/v1/receipts').isAdmitted).toBe(true);
  });

  it('asks refused clients back at different whole seconds', () => {
    const { admission } = admissionOf(1);
    const waits = new Set(Array.from({ length: 200 }, () => admission.refusal().details.retryAfterS));
    expect([...waits].sort()).toEqual([1, 2, 3, 4]);
    expect(admission.refusal()).toMatchObject({ status: 503, v1Status: 503, code: 7110, retryable: true });
  });

  it('counts every refusal, and logs of many only one line', async () => {
    const { ask, lines, registry } = admissionOf(1);
    for (let count = 0; count < 100; count++) ask(...receipt);
    expect(lines).toHaveLength(1);
    const text = await registry.metrics();
    expect(text).toContain('tenure_http_requests_refused_total 99');
    expect(text).toContain('tenure_http_requests_in_flight 1');
  });
});
