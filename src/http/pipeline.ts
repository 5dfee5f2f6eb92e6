import express, { type NextFunction, type Response } from 'express';
import { type Clock, newId } from '../../libs/kernel/index.js';
import type { Config } from '../config/config.js';
import type { HttpMetrics } from '../observability/http-metrics.js';
import type { Log } from '../observability/log.js';
import type { Readiness } from '../observability/readiness.js';
import { isTracing, startServerSpan, tracingContext } from '../observability/tracing.js';
import type { Admission } from './admission.js';
import type { AnswerSigning } from './answer-signing.js';
import { ApiError } from './api-error.js';
import { bodyProblem } from './body-shape.js';
import { type ApiRequest, apiFormat, wirePath } from './request.js';
import { securityHeaders } from './security-headers.js';
import { sendError } from './send-error.js';

const MIB = 1024 * 1024;
/** Purchase SDKs finish a purchase on any 4xx, so receipts take whatever a phone can send. */
const RECEIPT_LIMIT = 10 * MIB;
const DEFAULT_LIMIT = MIB;
/** Stores send a few kilobytes; a route that anybody can post to takes no more than it needs. */
const NOTIFICATION_LIMIT = MIB / 4;

const anyType = (): boolean => true;
const receiptJson = express.json({ limit: RECEIPT_LIMIT, type: anyType, strict: false });
/** Store notifications are kept, checked and forwarded as the bytes they came in. */
const notificationBytes = express.raw({ limit: NOTIFICATION_LIMIT, type: anyType });
const sdkJson = express.json({ limit: DEFAULT_LIMIT, type: anyType, strict: false });
const apiJson = express.json({ limit: DEFAULT_LIMIT, strict: false });
/** Usage events and diagnostics are not kept: whatever they hold, an error would make the SDK send them for ever. */
const unread = express.raw({ limit: DEFAULT_LIMIT, type: anyType });
const UNREAD_PATHS = new Set(['/v1/events', '/v1/diagnostics']);

/** An upstream's request id is kept when it is harmless text. */
const REQUEST_ID = /^[A-Za-z0-9_.:-]{8,128}$/;

function hasBody(request: ApiRequest): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function sdkBodyParser(path: string) {
  if (path === '/v1/receipts') return receiptJson;
  if (path.startsWith('/v1/notifications/')) return notificationBytes;
  return UNREAD_PATHS.has(path) ? unread : sdkJson;
}

function setSdkHeaders(request: ApiRequest, response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-RevenueCat-Request-Time, X-RevenueCat-ETag, X-Signature, X-Request-ID, Retry-After',
  );
  response.setHeader('X-RevenueCat-Request-Time', String(request.receivedAtMs));
}

function answerPreflight(request: ApiRequest, response: Response): void {
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, OPTIONS');
  if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
}

interface PipelineParts {
  metrics: HttpMetrics;
  signing: AnswerSigning;
  readiness: Readiness;
  admission: Admission;
}

/**
 * Everything that happens to a request before routing, in one function: request id, admission, headers of
 * the SDK wire, preflights, the body, log and metrics. One function because each Express layer costs every request.
 */
export function requestPipeline(
  clock: Clock,
  config: Config,
  log: Log,
  { metrics, signing, readiness, admission }: PipelineParts,
) {
  return (request: ApiRequest, response: Response, proceed: NextFunction): void => {
    request.receivedAtMs = clock.nowMs();
    const startedAt = performance.now();
    const upstreamId = request.headers['x-request-id'];
    request.id =
      typeof upstreamId === 'string' && REQUEST_ID.test(upstreamId)
        ? upstreamId
        : newId('request', request.receivedAtMs);
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('Cache-Control', 'no-store');
    if (readiness.isLeaving) response.setHeader('Connection', 'close');
    const format = apiFormat(request);
    const isAdmitted = admission.admit(request, response);
    const trace = isTracing() ? startServerSpan(request.method, request.headers) : null;
    response.on('finish', () => {
      const durationMs = performance.now() - startedAt;
      const route = metrics.observe(format, request, response.statusCode, durationMs);
      trace?.span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
      trace?.span.updateName(`${request.method} ${route}`).end();
      if (!isAdmitted) return;
      // SDK reads come by the million: only what is slow or wrong is worth a line.
      if (format === 'v1' && response.statusCode < 500 && durationMs < config.slowRequestMs) return;
      log.info(
        {
          requestId: request.id,
          method: request.method,
          path: wirePath(request),
          status: response.statusCode,
          durationMs: Math.round(durationMs),
        },
        'request',
      );
    });
    const next: NextFunction = trace
      ? (error?: unknown) => tracingContext.with(trace.inside, () => proceed(error))
      : proceed;
    if (format === 'v1') {
      setSdkHeaders(request, response);
      if (request.method === 'OPTIONS') return answerPreflight(request, response);
    } else {
      // It sets headers and calls back at once.
      securityHeaders(request, response, () => undefined);
    }
    // Neither read nor signed: it must stay cheap.
    if (!isAdmitted) return sendError(response, admission.refusal(), format, config.baseUrl);
    if (format === 'v1') signing.prepare(request);
    if (!hasBody(request) || request.method === 'GET' || request.method === 'HEAD')
      return next(signing.problemOf(request));
    if (format === 'v1') {
      const parse = sdkBodyParser(wirePath(request));
      return parse(request, response, (error?: unknown) => next(error ?? signing.problemOf(request)));
    }
    if (request.is('application/json') === false) {
      return next(
        new ApiError('invalid_request', 'Send the body as JSON with `Content-Type: application/json`.'),
      );
    }
    return apiJson(request, response, (error?: unknown) => next(error ?? bodyProblem(request.body)));
  };
}
