import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { useFormat, useNow } from '../ui/format/format-context.js';
import { formatClock } from '../ui/format/format-time.js';
import { formatFullNumber } from '../ui/format/format-number.js';
import { Num } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { Spinner } from '../ui/progress.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Time } from '../ui/format/time.js';
import { type ImportStatus, importStatusQuery, isImporting } from './imports.queries.js';
import { watchImport } from './watch-import.js';

type Count = Exclude<keyof ImportStatus, 'object' | 'needs_token_refresh_by_app' | 'last_import_at'>;

const countLabels = {
  customers: 'Customers',
  subscriptions: 'Subscriptions',
  needs_token_refresh: 'Missing a purchase token',
  unconfirmed_original_ids: 'Unconfirmed by the App Store',
  held_open: 'Held open',
  transactions_without_price: 'Payments without a price',
  periods_of_unknown_length: 'Refunded periods of unknown length',
  resolving: 'Not yet checked with the store',
} satisfies Record<Count, string>;

const hintLabels = {
  customers: 'All customers of the project, imported or not.',
  subscriptions: 'All subscriptions of the project, imported or not.',
  needs_token_refresh: 'Google Play subscriptions that came without a purchase token.',
  unconfirmed_original_ids:
    'Their original transaction id is a guess until the App Store or a receipt proves it.',
  held_open: 'Their token is missing; access continues after the end of their period, for at most 60 days.',
  transactions_without_price: 'They add nothing to revenue.',
  periods_of_unknown_length: 'They count as one month.',
  resolving: 'The server checks them automatically, as fast as the stores allow.',
} satisfies Record<Count, string>;

const grid = 'grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4';
const counts = Object.keys(countLabels) as Count[];

interface Beginning {
  status: ImportStatus;
  atMs: number;
}

/** The project's counts, and their growth while the page is open. */
export function StatusPanel({ projectId }: { projectId: string }) {
  const options = importStatusQuery(projectId);
  const query = useQuery(options);
  const queries = useQueryClient();
  const now = useNow();
  const { data, dataUpdatedAt: atMs } = query;
  const [beginning, setBeginning] = useState<Beginning | null>(null);
  if (data && !beginning) setBeginning({ status: data, atMs });
  const isRunning = data !== undefined && isImporting(data, Math.max(now, atMs));
  useEffect(() => {
    if (isRunning) watchImport(queries, projectId);
  }, [isRunning, queries, projectId]);
  return (
    <Panel title="State">
      <QueryPanel query={query} queryKey={options.queryKey} skeleton={<Skeletons />} stale>
        {(status) => (
          <div className="flex flex-col gap-4">
            <p className="flex flex-wrap items-center gap-x-2">
              {isRunning && <Spinner className="text-muted" />}
              {status.last_import_at === null ? (
                <>
                  Nothing has been imported yet. The numbers update while the import runs.{' '}
                  <a href={docsOf('Imports')}>Read about the calls of an import</a>
                </>
              ) : (
                <>
                  {isRunning && 'An import is running.'} Last import: <Time ms={status.last_import_at} />
                </>
              )}
            </p>
            <dl className={grid}>
              {counts.map((name) => (
                <Figure key={name} name={name} status={status} beginning={beginning} />
              ))}
            </dl>
          </div>
        )}
      </QueryPanel>
      <div className="mt-3">
        <ShowCall operation="GET /v2/projects/{project_id}/import/status" path={{ project_id: projectId }} />
      </div>
    </Panel>
  );
}

/** Placeholders of the counts, with the same height. */
function Skeletons() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton lines={1} />
      <div aria-hidden="true" className={grid}>
        {counts.map((name) => (
          <div key={name} className="min-w-0">
            <p className="text-sm text-muted">{countLabels[name]}</p>
            <p className="text-xl font-semibold text-muted">—</p>
          </div>
        ))}
      </div>
    </div>
  );
}

interface FigureProps {
  name: Count;
  status: ImportStatus;
  beginning: Beginning | null;
}

function Figure({ name, status, beginning }: FigureProps) {
  const format = useFormat();
  const change = status[name] - (beginning?.status[name] ?? status[name]);
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted" data-tip={hintLabels[name]}>
        {countLabels[name]}
      </dt>
      <dd>
        <span className="text-xl font-semibold">
          <Num value={status[name]} />
        </span>
        {change !== 0 && beginning && (
          <span className="block text-sm text-muted tabular-nums">
            {change > 0 && '+'}
            {formatFullNumber(format.locale, change)} since {formatClock(format, beginning.atMs)}
          </span>
        )}
      </dd>
    </div>
  );
}
