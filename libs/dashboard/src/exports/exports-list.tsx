import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { docsOf } from '../api/docs-link.js';
import { Badge } from '../ui/badge.js';
import { Time } from '../ui/format/time.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { datasetLabel } from './dataset-labels.js';
import { destinationsQuery, exportList } from './exports.queries.js';
import { scheduleText } from './form/schedule-text.js';
import { LastRun } from './runs/last-run.js';

/** The exports of the project, with their last and next runs. */
export function ExportsList({ projectId, add }: { projectId: string; add: ReactNode }) {
  const query = exportList(projectId);
  const list = useInfiniteQuery(query);
  const destinations = useQuery(destinationsQuery(projectId));
  const nameOf = (id: string): string =>
    destinations.data?.find((destination) => destination.id === id)?.name ?? id;
  return (
    <Panel padded={false}>
      <QueryList
        label="Exports"
        query={list}
        queryKey={query.queryKey}
        things="exports"
        empty={{
          sentence: 'No exports yet. Add a destination, then choose what to send.',
          action: add,
          docs: docsOf('Exports'),
        }}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/projects/${projectId}/integrations/exports/${id}`}
        columns={[
          {
            id: 'name',
            header: 'Name',
            cell: ({ name }) => <DataText truncate>{name}</DataText>,
            priority: 1,
          },
          {
            id: 'data',
            header: 'Data',
            cell: ({ datasets }) => (
              <DataText truncate>{datasets.map(({ name }) => datasetLabel(name)).join(', ')}</DataText>
            ),
            priority: 2,
          },
          {
            id: 'destination',
            header: 'Destination',
            cell: ({ destination_id: id }) => <DataText truncate>{nameOf(id)}</DataText>,
            priority: 3,
          },
          {
            id: 'schedule',
            header: 'Schedule',
            cell: ({ schedule }) => scheduleText(schedule),
            width: 'minmax(0, 1.2fr)',
            priority: 3,
          },
          {
            id: 'last',
            header: 'Last run',
            cell: ({ last_run: run }) => <LastRun run={run} />,
            width: 'minmax(0, 1.6fr)',
            priority: 2,
          },
          {
            id: 'next',
            header: 'Next run',
            label: 'Next run',
            cell: ({ state, next_run_at: next }) =>
              state === 'paused' ? <Badge icon="pause">Paused</Badge> : <Time ms={next} none="On request" />,
            width: '8rem',
            priority: 1,
          },
        ]}
      />
    </Panel>
  );
}
