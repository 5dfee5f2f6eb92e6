import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { useFormat, useNow } from '../../ui/format/format-context.js';
import { Num } from '../../ui/format/money.js';
import { formatDuration } from '../../ui/format/period.js';
import { Time } from '../../ui/format/time.js';
import { QueryList } from '../../ui/lists/query-list.js';
import type { Column } from '../../ui/lists/data-list.js';
import { type ExportRun, runList } from '../exports.queries.js';
import { LastRun } from './last-run.js';
import { bytesText, durationOf, triggerText } from './run-texts.js';

interface RunsListProps {
  projectId: string;
  exportId: string;
  openId: string | undefined;
  onOpen: (run: ExportRun) => void;
}

/** Runs of an export, newest first. */
export function RunsList({ projectId, exportId, openId, onOpen }: RunsListProps) {
  const query = runList(projectId, exportId);
  const list = useInfiniteQuery(query);
  return (
    <QueryList
      label="Runs"
      query={list}
      queryKey={query.queryKey}
      things="runs"
      empty={{ sentence: 'This export has not run yet.', docs: docsOf('Exports') }}
      rowKey={({ id }) => id}
      selectedKey={openId}
      onOpen={onOpen}
      columns={openId === undefined ? [...columns, ...wideColumns] : columns}
    />
  );
}

const columns: Column<ExportRun>[] = [
  {
    id: 'started',
    header: 'Started',
    cell: ({ started_at: started, created_at: created }) => <Time ms={started ?? created} show="full" />,
    width: '11rem',
    priority: 1,
  },
  {
    id: 'result',
    header: 'Result',
    cell: (run) => <LastRun run={run} />,
    width: 'minmax(0, 2fr)',
    priority: 2,
  },
  {
    id: 'mode',
    header: 'Mode',
    cell: ({ mode }) => (mode === 'full' ? 'Every row' : 'New and changed'),
    width: 'minmax(0, 1fr)',
    priority: 2,
  },
];

const wideColumns: Column<ExportRun>[] = [
  {
    id: 'files',
    header: 'Files',
    label: 'Files',
    cell: ({ files }) => <Num value={files.length} />,
    align: 'end',
    width: '4rem',
    priority: 3,
  },
  {
    id: 'bytes',
    header: 'Size',
    cell: ({ bytes }) => <Size bytes={bytes} />,
    align: 'end',
    width: '6rem',
    priority: 3,
  },
  {
    id: 'duration',
    header: 'Duration',
    cell: (run) => <Duration run={run} />,
    align: 'end',
    width: '6rem',
    priority: 3,
  },
  {
    id: 'trigger',
    header: 'Started by',
    label: 'Started by',
    cell: ({ trigger }) => triggerText[trigger],
    width: '7.5rem',
    priority: 2,
  },
];

export function Size({ bytes }: { bytes: number }) {
  const { locale } = useFormat();
  return <span className="whitespace-nowrap tabular-nums">{bytesText(locale, bytes)}</span>;
}

export function Duration({ run }: { run: ExportRun }) {
  const { locale } = useFormat();
  const ms = durationOf(run, useNow());
  return <span className="whitespace-nowrap tabular-nums">{formatDuration(locale, ms)}</span>;
}
