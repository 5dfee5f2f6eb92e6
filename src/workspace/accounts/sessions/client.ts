import type { ApiRequest } from '../../../platform/http/request.js';

const USER_AGENT_MAX = 500;

export interface Client {
  ip: string | null;
  userAgent: string | null;
}

export function clientOf(request: ApiRequest): Client {
  return {
    ip: request.ip ?? null,
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
  };
}
