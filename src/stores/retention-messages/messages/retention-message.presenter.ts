import type { RetentionTest } from '../../../../libs/stores/index.js';
import type { RetentionMessageDto, RetentionTestDto } from './retention-message.dto.js';
import type { MessagePlace } from './retention-messages.repository.js';
import type { ListedMessage } from './retention-messages.service.js';

export function presentMessage(
  { appId, environment }: MessagePlace,
  { id, state, text }: ListedMessage,
): RetentionMessageDto {
  return {
    object: 'retention_message',
    id,
    app_id: appId,
    environment,
    state,
    header: text?.header ?? null,
    body: text?.body ?? null,
    created_at: text?.createdAt.getTime() ?? null,
  };
}

export function presentTest(appId: string, { id, state, config, results }: RetentionTest): RetentionTestDto {
  return {
    object: 'retention_test',
    id,
    app_id: appId,
    state,
    config: {
      max_concurrent_requests: config.maxConcurrentRequests,
      total_requests: config.totalRequests,
      total_duration_ms: config.totalDuration,
      response_time_threshold_ms: config.responseTimeThreshold,
      success_rate_threshold: config.successRateThreshold,
    },
    success_rate: results?.successRate ?? null,
    pending_count: results?.pending ?? null,
    response_times_ms: results && {
      average: results.times.average,
      p50: results.times.p50,
      p90: results.times.p90,
      p95: results.times.p95,
      p99: results.times.p99,
    },
    failures: results?.failures ?? {},
  };
}
