import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Counter, Gauge, Registry } from 'prom-client';
import { Config } from '../../config/config.js';
import { LogService } from '../../observability/log.service.js';
import { ApiError } from '../errors/api-error.js';
import { wirePath } from './request.js';

/** Reads are cheap, so they are refused only at this many times the load at which writes are. */
const READS_LAST = 2;
/** Bodies up to this size are limited only by the number of requests. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Spreads out the retries of clients that were refused together. */
const MAX_RETRY_AFTER_S = 4;
const WARN_EVERY_MS = 10_000;

/** Liveness and monitoring matter most under overload. */
export const NEVER_REFUSED: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/v1/health',
  '/v1/health/connectivity',
]);

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Limits the requests that this process handles at a time, and the bytes of their large bodies. More would only wait in
 * memory until their clients time out. A refusal is cheap and includes a retry time.
 */
@Injectable()
export class AdmissionService {
  private inFlight = 0;
  private bodyBytes = 0;
  private refused = 0;
  private warnAtMs = 0;
  private readonly refusals: Counter;

  constructor(
    private readonly config: Config,
    private readonly log: LogService,
    registry: Registry,
  ) {
    const inFlight = (): number => this.inFlight;
    new Gauge({
      name: 'tenure_http_requests_in_flight',
      help: 'Requests in progress.',
      registers: [registry],
      collect() {
        this.set(inFlight());
      },
    });
    const bodyBytes = (): number => this.bodyBytes;
    new Gauge({
      name: 'tenure_http_body_bytes_in_flight',
      help: 'Bytes of bodies over 64 KiB in progress.',
      registers: [registry],
      collect() {
        this.set(bodyBytes());
      },
    });
    this.refusals = new Counter({
      name: 'tenure_http_requests_refused_total',
      help: 'Requests answered with 503 because too many others, or too large ones, were in progress.',
      registers: [registry],
    });
  }

  /** Whether a request would be admitted now; otherwise its body need not be awaited. */
  hasRoom(request: Pick<Request, 'method' | 'originalUrl'>): boolean {
    if (this.inFlight < this.config.maxRequestsInFlight || this.isExempt(request)) return true;
    return this.refuse();
  }

  /** Counts a request until its response has been sent. Returns false if there is no room. */
  admit(request: Pick<Request, 'method' | 'originalUrl'>, response: Pick<Response, 'on'>): boolean {
    if (!this.hasRoom(request)) return false;
    this.inFlight++;
    response.on('close', this.leave);
    return true;
  }

  /**
   * Reserves room for one request's large body until its response has been sent. The returned function adds
   * bytes; it returns false if there is no room or the client has gone.
   */
  bodyRoom(response: Pick<Response, 'on' | 'closed'>): (bytes: number) => boolean {
    let held = 0;
    response.on('close', () => {
      this.bodyBytes -= held;
    });
    return (bytes) => {
      if (response.closed) return false;
      if (this.bodyBytes + bytes > this.config.maxBodyBytesInFlight) return this.refuse();
      this.bodyBytes += bytes;
      held += bytes;
      return true;
    };
  }

  refusal(): ApiError {
    const retryAfterS = 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_S);
    return new ApiError('overloaded', 'The server has more requests than it can answer now.', {
      retryAfterS,
    });
  }

  private refuse(): false {
    this.refusals.inc();
    this.warn();
    return false;
  }

  private readonly leave = (): void => {
    this.inFlight--;
  };

  private isExempt(request: Pick<Request, 'method' | 'originalUrl'>): boolean {
    if (isRead(request.method) && this.inFlight < READS_LAST * this.config.maxRequestsInFlight) return true;
    return request.method === 'OPTIONS' || NEVER_REFUSED.has(wirePath(request));
  }

  /** Summarizes refusals, because a line for each would cost more than the refusal. */
  private warn(): void {
    this.refused++;
    const now = performance.now();
    if (now < this.warnAtMs) return;
    this.log.warn(
      { refused: this.refused, inFlight: this.inFlight, bodyBytes: this.bodyBytes },
      'more requests than can be answered: some are refused',
    );
    this.refused = 0;
    this.warnAtMs = now + WARN_EVERY_MS;
  }
}
