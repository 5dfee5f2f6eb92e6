import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../../api/apps.queries.js';
import { useMay } from '../../api/permissions.js';
import { allProductsQuery } from '../../api/products.queries.js';
import { conditionWords } from '../../frame/conditions/condition-words.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Button } from '../../ui/button.js';
import { Num } from '../../ui/format/money.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { Menu, type MenuItem } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { DataText } from '../../ui/text/data-text.js';
import { visibleText } from '../../ui/text/visible-text.js';
import {
  type RetentionPlace,
  type RetentionRule,
  retentionRulesQuery,
  retentionStatisticsQuery,
  type RuleCounts,
  useDeleteRule,
} from './retention.queries.js';
import { RuleDialog } from './rule-dialog.js';
import { type RuleAction, useRuleItems } from './use-rule-items.js';

interface CountedRule {
  rule: RetentionRule;
  /** Undefined until the statistics are loaded. */
  counts: RuleCounts | undefined;
}

const partOf = (part: number | undefined, whole: number | undefined) =>
  part === undefined ? (
    '—'
  ) : (
    <>
      <Num value={part} /> of <Num value={whole} />
    </>
  );

const columnsFor = (
  matchesOf: (rule: RetentionRule) => string,
  itemsOf: (rule: RetentionRule) => MenuItem[],
): Column<CountedRule>[] => [
  {
    id: 'rule',
    header: 'Rule',
    priority: 1,
    cell: ({ rule }) => <DataText truncate>{rule.display_name}</DataText>,
  },
  {
    id: 'matches',
    header: 'Matches',
    width: 'minmax(0, 2fr)',
    priority: 2,
    cell: ({ rule }) => <DataText truncate>{matchesOf(rule)}</DataText>,
  },
  {
    id: 'asked',
    header: 'Answered',
    align: 'end',
    width: '6rem',
    priority: 2,
    label: 'Answered',
    cell: ({ counts }) => <Num value={counts?.asked} />,
  },
  {
    id: 'day',
    header: 'To renew after 24 h',
    align: 'end',
    width: '10rem',
    priority: 3,
    label: 'To renew after 24 h',
    cell: ({ counts }) => partOf(counts?.auto_renew_after_24h, counts?.checked_after_24h),
  },
  {
    id: 'renewed',
    header: 'Renewed',
    align: 'end',
    width: '7rem',
    priority: 3,
    label: 'Renewed',
    cell: ({ counts }) => partOf(counts?.renewed, counts?.ended),
  },
  {
    id: 'actions',
    header: <span className="sr-only">Edit</span>,
    width: '3rem',
    align: 'end',
    priority: 1,
    cell: ({ rule }) => (
      <Menu
        iconOnly
        size="sm"
        label={`Actions for ${visibleText(rule.display_name)}`}
        items={itemsOf(rule)}
      />
    ),
  },
];

/** Describes the conditions of a rule, with the names of its products and apps. */
function useMatches({ projectId }: RetentionPlace): (rule: RetentionRule) => string {
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const { data: products = [] } = useQuery(allProductsQuery(projectId));
  const nameOf = (id: string): string => {
    const product = products.find((one) => one.id === id);
    return product
      ? (product.display_name ?? product.store_identifier)
      : (apps.find((app) => app.id === id)?.name ?? id);
  };
  return ({ conditions }) =>
    conditions.length === 0
      ? 'Every subscription'
      : conditions.map((condition) => conditionWords(condition, nameOf)).join('; ');
}

/** How often Apple asked, and how often no rule matched. */
function AskedLine({ place }: { place: RetentionPlace }) {
  const { data } = useQuery(retentionStatisticsQuery(place));
  return (
    <p className="min-h-10 border-b border-line px-4 py-2.5">
      {data && (
        <>
          In the last 30 days Apple asked <Num value={data.asked} /> times;{' '}
          <Num value={data.unanswered.asked} /> got the default message.
        </>
      )}
    </p>
  );
}

/** The rules in order of evaluation, with what became of the customers who saw their messages. */
export function RulesPanel({ place }: { place: RetentionPlace }) {
  const query = retentionRulesQuery(place);
  const rules = useQuery(query);
  const { data: statistics } = useQuery(retentionStatisticsQuery(place));
  const mayCreate = useMay('createRetentionRule');
  const remove = useDeleteRule(place);
  const matchesOf = useMatches(place);
  const [open, setOpen] = useState<{ action: RuleAction; rule: RetentionRule | null } | null>(null);
  const close = () => setOpen(null);
  const itemsOf = useRuleItems(place, rules.data?.items ?? [], (action, rule) => setOpen({ action, rule }));
  return (
    <Panel
      title="Rules"
      description="The first rule that matches decides. Otherwise Apple shows its default message."
      padded={false}
      actions={
        <Button
          icon="plus"
          disabledReason={mayCreate.reason}
          onClick={() => setOpen({ action: 'edit', rule: null })}
        >
          Add rule
        </Button>
      }
    >
      <QueryPanel query={rules} queryKey={query.queryKey} skeleton={<SkeletonRows />}>
        {({ items }) => {
          const shown = items
            .filter(({ environment }) => environment === place.environment)
            .map((rule) => ({
              rule,
              counts: statistics?.rules.find(({ rule_id: id }) => id === rule.id),
            }));
          return (
            <>
              <AskedLine place={place} />
              {shown.length === 0 ? (
                <EmptyState sentence="No rules yet. Until then, Apple shows the default message." />
              ) : (
                <DataList
                  label="Rules"
                  rows={shown}
                  columns={columnsFor(matchesOf, itemsOf)}
                  rowKey={({ rule }) => rule.id}
                />
              )}
            </>
          );
        }}
      </QueryPanel>
      {open?.action === 'edit' && <RuleDialog place={place} rule={open.rule} onClose={close} />}
      {open?.action === 'delete' && open.rule && (
        <ConfirmCall
          danger
          title={`Delete the rule ${visibleText(open.rule.display_name)}?`}
          effect="Customers it matched are evaluated by the next rules. Its message stays at Apple. This cannot be undone."
          confirmLabel="Delete"
          write={remove}
          input={open.rule.id}
          done={`Deleted ${visibleText(open.rule.display_name)}`}
          call={{
            operation: 'DELETE /v2/projects/{project_id}/apps/{app_id}/retention_rules/{retention_rule_id}',
            path: { project_id: place.projectId, app_id: place.appId, retention_rule_id: open.rule.id },
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
