import { loadConfig } from '../config/config.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import type { Principal } from '../principal/principal.js';
import { ApiRateLimitsService } from './api-rate-limits.service.js';
import type { RateLimiterService } from './rate-limiter.service.js';

const key: Principal = { kind: 'secret_key', projectId: 'proj1', keyId: 'key_1', permissions: new Set() };
const session: Principal = {
  kind: 'session',
  ssoOrgId: null,
  userId: 'usr_1',
  email: 'a@example.com',
  sessionId: 'ses_1',
  method: 'password',
};

function limitsOf(env: NodeJS.ProcessEnv): ApiRateLimitsService {
  return new ApiRateLimitsService({} as RateLimiterService, loadConfig(env));
}

const request = (originalUrl: string): ApiRequest => ({ originalUrl }) as ApiRequest;

describe('which limit a request counts by', () => {
  const limits = limitsOf({
    SERVICE_RATE_LIMIT_CUSTOMER_INFORMATION: '480',
    SERVICE_RATE_LIMIT_CHARTS_METRICS: '5',
  });
  const v2 = request('/v2/projects/proj1/x');

  it('follows the domain of its permission', () => {
    expect(limits.limitOf(v2, key, 'customer_information:customers:read')?.max).toBe(480);
    expect(limits.limitOf(v2, key, 'charts_metrics:charts:read')?.max).toBe(5);
  });

  it('returns none where the domain has none, and for routes that need no permission', () => {
    expect(limits.limitOf(v2, key, 'project_configuration:apps:read')).toBeNull();
    expect(limits.limitOf(v2, key, undefined)).toBeNull();
    expect(limitsOf({}).limitOf(v2, key, 'customer_information:customers:read')).toBeNull();
  });

  it('returns none for charts on the dashboard', () => {
    expect(limits.limitOf(v2, session, 'charts_metrics:charts:read')).toBeNull();
    expect(limits.limitOf(v2, session, 'customer_information:customers:read')?.max).toBe(480);
  });

  it('returns none outside REST v2, however the path is written', () => {
    const permission = 'customer_information:customers:read';
    expect(limits.limitOf(request('/v1/receipts'), key, permission)).toBeNull();
    expect(limits.limitOf(request('/V2/projects/proj1'), key, permission)?.max).toBe(480);
  });
});
