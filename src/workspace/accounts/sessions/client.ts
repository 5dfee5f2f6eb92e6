import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { deviceToken } from './device-cookie.js';

const USER_AGENT_MAX = 500;

export interface Client {
  ip: string | null;
  userAgent: string | null;
  /** Token of the browser's device cookie. */
  device: string;
}

export function clientOf(request: ApiRequest): Client {
  return {
    ip: request.ip ?? null,
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
    device: deviceToken(request),
  };
}
