import type { NextFunction, Response } from 'express';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import type { Config } from '../../config/config.js';
import type { HttpMetrics } from './http.metrics.js';
import { knownError } from '../errors/known-error.js';
import type { LogService } from '../../observability/log.service.js';
import type { ReadinessService } from '../../observability/readiness.service.js';
import { isTracing, startServerSpan, tracingContext } from '../../observability/tracing.js';
import type { AdmissionService } from './admission.service.js';
import type { AnswerSigningService } from './answer-signing.service.js';
import { ApiError } from '../errors/api-error.js';
import type { BodyArrivalsService } from './body-arrivals.service.js';
import { answerPreflight, isForClients, setClientHeaders, setSdkHeaders } from './cross-origin.js';
import { isForeignToScim, RequestBodies, takesOnlyJson } from '../bodies/request-body.js';
import { type ApiFormat, type ApiRequest, apiFormat, routeSdkLogin, wirePath } from './request.js';
import { isProbe, RequestLines } from './request-lines.js';
import type { RouteTableService } from './route-table.service.js';
import { securityHeaders } from './security-headers.js';
import { sendError } from '../errors/send-error.js';

/** Status in log and metrics if the client disconnected before the response (nginx uses it too). */
const CLIENT_GONE = 499;
/** An upstream's request id is accepted if it matches. */
const REQUEST_ID = /^[A-Za-z0-9_.:-]{8,128}$/;

function hasBody(request: ApiRequest): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/** In these formats, missing access takes precedence over an invalid body. */
function isCheckedAfterAccess(format: ApiFormat): boolean {
  return format === 'v2' || format === 'account';
}

/** Rewrites the path for the rest of the request, including its response and log line. */
function continueAt(request: ApiRequest, path: string): void {
  request.originalUrl = path + request.originalUrl.slice(wirePath(request).length);
  request.url = request.originalUrl;
}

interface PipelineParts {
  metrics: HttpMetrics;
  signing: AnswerSigningService;
  readiness: ReadinessService;
  admission: AdmissionService;
  arrivals: BodyArrivalsService;
  routes: RouteTableService;
  /** @throws ApiError if the request has no valid credential */
  authenticate: (request: ApiRequest) => unknown;
}

/** Everything before routing, in one function because each Express layer adds cost to every request. */
export function requestPipeline(
  clock: Clock,
  config: Config,
  log: LogService,
  { metrics, signing, readiness, admission, arrivals, routes, authenticate }: PipelineParts,
) {
  const bodies = new RequestBodies({ admission, routes, authenticate, log });
  const lines = new RequestLines(log, config, routes);
  const routeOf = ({ route, method, originalUrl }: ApiRequest): string => {
    const { path } = (route ?? {}) as { path?: unknown };
    // Most refused requests never reach a route.
    const pattern = typeof path === 'string' ? path : routes.patternOf(method, wirePath({ originalUrl }));
    return pattern ?? 'unmatched';
  };
  return (request: ApiRequest, response: Response, proceed: NextFunction): void => {
    // An inner request has passed this already: `InProcessRequestsService`.
    if (request.tool !== undefined) return proceed();
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
    const slashless = routes.withoutSlash(request.method, wirePath(request));
    if (slashless !== null) {
      request.slashedPath = wirePath(request);
      continueAt(request, slashless);
    }
    const format = apiFormat(request);
    routeSdkLogin(request);
    let isRefused = false;
    const isSilent = isProbe(request);
    const trace = isTracing() && !isSilent ? startServerSpan(request) : null;
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const isGone = request.errored !== null || !response.writableFinished;
      const status = isGone ? CLIENT_GONE : response.statusCode;
      const route = routeOf(request);
      metrics.observe({ api: format, method: request.method, route, status }, durationMs);
      trace?.span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      trace?.span.updateName(`${request.method} ${route}`).end();
      if (isSilent) return;
      const write = (): void => lines.write(request, { format, route, status, durationMs, isRefused });
      if (trace) tracingContext.with(trace.inside, write);
      else write();
    });
    const next: NextFunction = trace
      ? (error?: unknown) => tracingContext.with(trace.inside, () => proceed(error))
      : proceed;
    if (format === 'v1') {
      setSdkHeaders(response, request.receivedAtMs);
      if (request.method === 'OPTIONS') return answerPreflight(request, response);
    } else {
      // It sets headers and calls back synchronously.
      securityHeaders(request, response, () => undefined);
      if (format === 'oauth' && isForClients(wirePath(request))) {
        setClientHeaders(response);
        if (request.method === 'OPTIONS') return answerPreflight(request, response);
      }
    }
    // A refused request is neither read nor signed, so that refusing stays cheap.
    const refuse = (): void => {
      isRefused = true;
      delete request.signAnswer;
      sendError(response, admission.refusal(), format, config.baseUrl);
    };
    const ignoresBody = (): boolean =>
      format === 'v2' && routes.find(request.method, wirePath(request))?.ignoresBody === true;
    const isBodyless =
      !hasBody(request) || request.method === 'GET' || request.method === 'HEAD' || ignoresBody();
    if (!(isBodyless ? admission.admit(request, response) : admission.hasRoom(request))) return refuse();
    if (format === 'v1') signing.prepare(request);
    if (isBodyless) return next(signing.problemOf(request));
    const proceedWithout = (error: ApiError): void => {
      request.bodyError = error;
      if (!admission.admit(request, response)) return refuse();
      next();
    };
    if (takesOnlyJson(wirePath(request), format) && request.is('application/json') === false) {
      return proceedWithout(
        new ApiError('invalid_request', 'Send the body as JSON with `Content-Type: application/json`.'),
      );
    }
    if (isForeignToScim(request, format)) {
      const message = 'Send the body as JSON with `Content-Type: application/scim+json`.';
      return next(new ApiError('unsupported_media_type', message));
    }
    let isDropped = false;
    let isRead = false;
    let arrived = (): void => undefined;
    const watch = (): void => {
      // Most bodies arrive together with their headers.
      if (isRead || request.complete || response.closed) return;
      arrived = arrivals.begin({
        ip: request.ip ?? null,
        bytesRead: () => request.socket.bytesRead,
        drop: () => {
          isDropped = true;
          // The rest of the body is not awaited either.
          response.setHeader('Connection', 'close');
          refuse();
        },
      });
      response.on('close', arrived);
    };
    setImmediate(watch);
    return bodies.read(request, response, format, (error?: unknown) => {
      isRead = true;
      arrived();
      // The client has gone.
      if (isDropped || response.closed) return;
      if (error !== undefined) {
        const refused = knownError(error);
        return refused?.status === 400 && isCheckedAfterAccess(format)
          ? proceedWithout(refused)
          : next(error);
      }
      if (!admission.admit(request, response)) return refuse();
      next(format === 'v1' ? signing.problemOf(request) : undefined);
    });
  };
}
