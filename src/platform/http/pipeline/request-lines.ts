import type { Config } from '../../config/config.js';
import { LineRate } from '../../observability/line-rate.js';
import type { LogService } from '../../observability/log.service.js';
import { type ApiFormat, type ApiRequest, wirePath } from './request.js';
import type { RouteTableService } from './route-table.service.js';

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Requests of load balancers and Prometheus are neither logged nor traced. */
export function isProbe(request: { originalUrl: string }): boolean {
  return PROBES.has(wirePath(request));
}

interface Answered {
  format: ApiFormat;
  route: string;
  status: number;
  durationMs: number;
  isRefused: boolean;
}

/**
 * Writes one line for each request, without a stack: a server failure has its own line with the same cause. SDK
 * requests are numerous, so fast successful ones are logged only at level debug.
 */
export class RequestLines {
  private readonly rate: LineRate;

  constructor(
    private readonly log: LogService,
    private readonly config: Config,
    private readonly routes: RouteTableService,
  ) {
    this.rate = new LineRate((route, leftOut) =>
      log.info({ ...route, left_out: leftOut }, 'requests that the log leaves out'),
    );
  }

  write(request: ApiRequest, answered: Answered): void {
    const { format, route, status, durationMs, isRefused } = answered;
    const { method } = request;
    if (format === 'v1' && status < 400 && durationMs < this.config.slowRequestMs) {
      if (this.log.writesDebug) this.log.debug(this.fieldsOf(request, answered), 'request');
      return;
    }
    const isBounded = format === 'v1' || isRefused;
    if (isBounded && !this.rate.admit({ method, route, status })) return;
    this.log.info(this.fieldsOf(request, answered), 'request');
  }

  private fieldsOf(request: ApiRequest, { route, status, durationMs }: Answered): object {
    const { path, appUserId } = this.routes.shownPath(wirePath(request), (id) => this.log.appUserId(id));
    const { principal, failure, failureCause } = request;
    const body = request.body as { app_user_id?: unknown } | undefined;
    return {
      request_id: request.id,
      method: request.method,
      route,
      tool: request.tool,
      path,
      status,
      duration_ms: Math.round(durationMs),
      projectId: principal && 'projectId' in principal ? principal.projectId : undefined,
      app_user_id: appUserId ?? body?.app_user_id,
      error: failure?.type,
      code: failure?.code,
      param: failure?.details.param,
      cause: failureCause,
    };
  }
}
