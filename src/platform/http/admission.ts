import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Counter, Gauge, Registry } from 'prom-client';
import { Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { ApiError } from './api-error.js';
import { wirePath } from './request.js';

/** Reads are cheap: they are refused when so many times as many requests are under way as make writes be refused. */
const READS_LAST = 2;
/** Bodies up to this size are bounded by the number of requests, and never refused for their bytes. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Those who were refused together should not come back together. */
const MAX_RETRY_AFTER_S = 4;
const WARN_EVERY_MS = 10_000;

/** What tells whether the process lives must be answered most of all when there is much to do. */
export const NEVER_REFUSED: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/v1/health',
  '/v1/health/connectivity',
]);

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Bounds the requests that this process works on at a time, and the bytes of their large bodies. More than it can answer
 * would only wait, each in memory, until their clients have given up; a refusal costs next to nothing and says when to
 * come back.
 */
@Injectable()
export class Admission {
  private inFlight = 0;
  private bodyBytes = 0;
  private refused = 0;
  private warnAtMs = 0;
  private readonly refusals: Counter;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
    registry: Registry,
  ) {
    const inFlight = (): number => this.inFlight;
    new Gauge({
      name: 'tenure_http_requests_in_flight',
      help: 'Requests that are being worked on.',
      registers: [registry],
      collect() {
        this.set(inFlight());
      },
    });
    const bodyBytes = (): number => this.bodyBytes;
    new Gauge({
      name: 'tenure_http_body_bytes_in_flight',
      help: 'Bytes of bodies over 64 KiB that are being worked on.',
      registers: [registry],
      collect() {
        this.set(bodyBytes());
      },
    });
    this.refusals = new Counter({
      name: 'tenure_http_requests_refused_total',
      help: 'Requests answered with 503 because too many others, or too large ones, were being worked on.',
      registers: [registry],
    });
  }

  /** Whether a request would be counted in now; so that a body which will be refused need not be waited for. */
  hasRoom(request: Pick<Request, 'method' | 'originalUrl'>): boolean {
    if (this.inFlight < this.config.maxRequestsInFlight || this.isExempt(request)) return true;
    return this.refuse();
  }

  /** Counts a request in until its answer has left. False: there is no room, and it was not counted. */
  admit(request: Pick<Request, 'method' | 'originalUrl'>, response: Pick<Response, 'on'>): boolean {
    if (!this.hasRoom(request)) return false;
    this.inFlight++;
    response.on('close', this.leave);
    return true;
  }

  /**
   * Room for the large body of one request, until its answer has left. The function it gives takes more bytes in;
   * false: there is no room for them, or nobody waits for the answer any more.
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

  /** The answer to a request that was not admitted. */
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

  /** A line for each would be most of the work. */
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
