import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { docsOf } from '../api/docs-link.js';
import { storeName } from '../api/words.js';
import { useEnvironment } from '../frame/environment.js';
import { Badge } from '../ui/badge.js';
import { CsvButton } from '../ui/csv-button.js';
import { SelectField } from '../ui/forms/select-field.js';
import { Money } from '../ui/format/money.js';
import { FilterBar } from '../ui/lists/filter-bar.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { AnswerBy } from './answer-by.js';
import { answerLabel, outcomeLabels, reasonLabel, statusLabels } from './request-labels.js';
import { saveRequests } from './requests-csv.js';
import { type AnswerStatus, type RefundRequest, requestsQuery } from './requests.queries.js';
import { SetUpAnswers } from './set-up-answers.js';

const route = getRouteApi('/signed-in/projects/$projectId/refunds');

const columns: Column<RefundRequest>[] = [
  {
    id: 'customer',
    header: 'Customer',
    priority: 1,
    cell: ({ customer_id: id }) =>
      id === null ? (
        <span className="text-muted">Unknown</span>
      ) : (
        <DataText mono truncate>
          {id}
        </DataText>
      ),
  },
  {
    id: 'purchase',
    header: 'Purchase',
    priority: 2,
    cell: ({ amount, store }) => (
      <span className="flex min-w-0 gap-2">
        {amount && <Money amount={amount.gross} currency={amount.currency} />}
        <span className="truncate text-muted">{storeName(store)}</span>
      </span>
    ),
  },
  {
    id: 'reason',
    header: 'Reason',
    priority: 3,
    cell: ({ reason }) => <DataText truncate>{reasonLabel(reason)}</DataText>,
  },
  {
    id: 'deadline',
    header: 'Answer by',
    width: '8.5rem',
    priority: 1,
    cell: (request) => <AnswerBy request={request} />,
  },
  {
    id: 'answer',
    header: 'Answer',
    width: 'minmax(0, 1.6fr)',
    priority: 2,
    cell: (request) => {
      const { label, tone } = statusLabels[request.answer_status];
      return (
        <span className="flex min-w-0 items-center gap-2">
          <Badge tone={tone}>{label}</Badge>
          {request.answer_status !== 'not_wanted' && <span className="truncate">{answerLabel(request)}</span>}
        </span>
      );
    },
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '9rem',
    priority: 2,
    cell: ({ outcome }) =>
      outcome === null ? (
        <span className="text-muted">—</span>
      ) : (
        <Badge tone={outcomeLabels[outcome].tone}>{outcomeLabels[outcome].label}</Badge>
      ),
  },
];

/** The refund requests of a project, newest first. */
export function RequestsPanel({ projectId }: { projectId: string }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const { filter } = useEnvironment();
  const shown = { answer_status: status, environment: filter };
  const query = requestsQuery(projectId, shown);
  const list = useInfiniteQuery(query);
  const show = (next: string) =>
    void navigate({
      search: (before) => ({ ...before, status: (next || undefined) as AnswerStatus | undefined }),
      replace: true,
    });
  return (
    <div className="flex flex-col gap-4">
      <FilterBar isLabelled count={status === undefined ? 0 : 1}>
        <SelectField
          label="Answer"
          size="sm"
          className="w-44"
          value={status ?? ''}
          options={[
            { value: '', label: 'All' },
            ...Object.entries(statusLabels).map(([value, { label }]) => ({ value, label })),
          ]}
          onChange={({ target }) => show(target.value)}
        />
        <CsvButton onClick={() => saveRequests(projectId, shown)} />
      </FilterBar>
      <Panel padded={false}>
        <QueryList
          label="Refund requests"
          things="refund requests"
          query={list}
          queryKey={query.queryKey}
          filtered={status !== undefined}
          onClearFilters={() => show('')}
          empty={{
            sentence: 'No refund requests yet. They arrive with store notifications.',
            action: <SetUpAnswers projectId={projectId} />,
            docs: docsOf('Refunds'),
          }}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/refunds/${id}`}
        />
      </Panel>
    </div>
  );
}
