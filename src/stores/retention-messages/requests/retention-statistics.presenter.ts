import type { PlacedRetentionRule } from '../rules/retention-rule.presenter.js';
import type { StoreEnvironment } from '../messages/retention-message.dto.js';
import type { RetentionCounts } from './retention-requests.repository.js';
import type { RetentionRuleCountsDto, RetentionStatisticsDto } from './retention-statistics.dto.js';

type Counts = Omit<RetentionCounts, 'ruleId'>;

const none: Counts = { asked: 0, checked: 0, autoRenewing: 0, ended: 0, renewed: 0 };

function sum(a: Counts, b: Counts): Counts {
  return {
    asked: a.asked + b.asked,
    checked: a.checked + b.checked,
    autoRenewing: a.autoRenewing + b.autoRenewing,
    ended: a.ended + b.ended,
    renewed: a.renewed + b.renewed,
  };
}

function presentCounts({
  asked,
  checked,
  autoRenewing,
  ended,
  renewed,
}: Counts): RetentionStatisticsDto['unanswered'] {
  return {
    asked,
    checked_after_24h: checked,
    auto_renew_after_24h: autoRenewing,
    ended,
    renewed,
  };
}

export function presentStatistics(
  { appId, environment }: { appId: string; environment: StoreEnvironment },
  { from, to }: { from: Date; to: Date },
  placed: readonly PlacedRetentionRule[],
  counts: readonly RetentionCounts[],
): RetentionStatisticsDto {
  const countsOf = new Map(counts.map((row) => [row.ruleId, row]));
  const existing = placed.map(({ rule }) => rule).filter((rule) => rule.environment === environment);
  const existingIds = new Set(existing.map(({ id }) => id));
  const deleted = [...countsOf.keys()].filter((id): id is string => id !== null && !existingIds.has(id));
  const rules: RetentionRuleCountsDto[] = [
    ...existing.map(({ id, displayName }) => ({ rule_id: id, display_name: displayName })),
    ...deleted.sort().map((id) => ({ rule_id: id, display_name: null })),
  ].map((named) => ({ ...named, ...presentCounts(countsOf.get(named.rule_id) ?? none) }));
  return {
    object: 'retention_statistics',
    app_id: appId,
    environment,
    from: from.getTime(),
    to: to.getTime(),
    ...presentCounts(counts.reduce<Counts>(sum, none)),
    rules,
    unanswered: presentCounts(countsOf.get(null) ?? none),
  };
}
