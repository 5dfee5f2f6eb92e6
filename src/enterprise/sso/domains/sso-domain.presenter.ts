import type { SsoDomainDto, TxtRecordDto } from './sso-domain.dto.js';
import type { SsoDomain } from './sso-domain.entity.js';

/** `prefix` is SERVICE_SSO_TXT_PREFIX. */
export function txtRecordOf({ domain, token }: SsoDomain, prefix: string): TxtRecordDto {
  return { type: 'TXT', name: `_${prefix}.${domain}`, value: `${prefix}-verification=${token}` };
}

export function presentSsoDomain(row: SsoDomain, prefix: string): SsoDomainDto {
  return {
    object: 'sso_domain',
    domain: row.domain,
    verified: row.verifiedAt !== null,
    verified_at: row.verifiedAt?.getTime() ?? null,
    txt_record: txtRecordOf(row, prefix),
    last_checked_at: row.lastCheckedAt?.getTime() ?? null,
    last_error: row.lastError,
    created_at: row.createdAt.getTime(),
  };
}
