import type { Config } from '../config/config.js';
import type { ApiRequest } from '../http/pipeline/request.js';

/** The server's URL in tokens: `SERVICE_PUBLIC_URL`, otherwise the URL that the client used. */
export function issuerOf(request: ApiRequest, config: Config): string {
  return config.publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`;
}
