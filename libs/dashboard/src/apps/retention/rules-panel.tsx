import { useQuery } from '@tanstack/react-query';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type RetentionPlace, retentionStatisticsQuery, type RuleCounts } from './retention.queries.js';

const partOf = (part: number, whole: number) => (
  <>
    <Num value={part} /> of <Num value={whole} />
  </>
);

const columns: readonly Column<RuleCounts>[] = [
  {
    id: 'rule',
    header: 'Rule',
    priority: 1,
    cell: ({ display_name: name }) =>
      name === null ? <span className="text-muted">Deleted rule</span> : visibleText(name),
  },
  {
    id: 'asked',
    header: 'Answered',
    align: 'end',
    width: '7rem',
    priority: 1,
    label: 'Answered',
    cell: ({ asked }) => <Num value={asked} />,
  },
  {
    id: 'day',
    header: 'To renew after 24 h',
    align: 'end',
    width: '11rem',
    priority: 2,
    label: 'To renew after 24 h',
    cell: (row) => partOf(row.auto_renew_after_24h, row.checked_after_24h),
  },
  {
    id: 'renewed',
    header: 'Renewed',
    align: 'end',
    width: '9rem',
    priority: 2,
    label: 'Renewed',
    cell: ({ renewed, ended }) => partOf(renewed, ended),
  },
];

/** The rules in order of evaluation, with what became of the customers who saw their messages. */
export function RulesPanel({ place }: { place: RetentionPlace }) {
  const query = retentionStatisticsQuery(place);
  const statistics = useQuery(query);
  return (
    <Panel
      title="Rules in the last 30 days"
      description="The first rule that matches decides. Otherwise Apple shows its default message."
      padded={false}
    >
      <QueryPanel query={statistics} queryKey={query.queryKey}>
        {({ rules, asked, unanswered }) => (
          <>
            <p className="border-b border-line px-4 py-2.5">
              Apple asked <Num value={asked} /> times; <Num value={unanswered.asked} /> got the default
              message.
            </p>
            {rules.length === 0 ? (
              <EmptyState sentence="No rules yet. Create them with the API." />
            ) : (
              <DataList label="Rules" rows={rules} columns={columns} rowKey={({ rule_id: id }) => id} />
            )}
          </>
        )}
      </QueryPanel>
    </Panel>
  );
}
