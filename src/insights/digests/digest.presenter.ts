import type { DigestDto } from './digest.dto.js';
import type { Digest } from './digest.entity.js';

export function presentDigest(digest: Digest): DigestDto {
  return {
    object: 'digest',
    id: digest.id,
    name: digest.name,
    destination_id: digest.destinationId,
    emails: digest.emails,
    period: digest.period,
    weekday: digest.weekday,
    hour: digest.hour,
    time_zone: digest.timeZone,
    figures: digest.figures,
    environment: digest.environment,
    send_empty: digest.sendEmpty,
    enabled: digest.enabled,
    next_at: digest.enabled ? digest.dueAt.getTime() : null,
    last_sent_at: digest.lastSentAt?.getTime() ?? null,
    last_period: digest.lastPeriod,
    created_at: digest.createdAt.getTime(),
  };
}
