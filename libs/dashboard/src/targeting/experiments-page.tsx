import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { FilterBar, setCount } from '../ui/lists/filter-bar.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { SelectField } from '../ui/forms/select-field.js';
import { Time } from '../ui/format/time.js';
import { ExperimentDialog } from './experiment-dialog.js';
import { statusTones, variantsOf } from './experiment-words.js';
import { type Experiment, type ExperimentStatus, experimentsQuery } from './experiments.queries.js';
import { statusLabels } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/experiments');
const statuses: readonly ExperimentStatus[] = ['draft', 'running', 'paused', 'stopped'];

const columns: Column<Experiment>[] = [
  {
    id: 'name',
    header: 'Experiment',
    priority: 1,
    cell: ({ display_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'status',
    header: 'Status',
    width: '7rem',
    priority: 1,
    cell: ({ status }) => <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>,
  },
  {
    id: 'variants',
    header: 'Offerings',
    cell: (experiment) => (
      <DataText truncate>
        {variantsOf(experiment)
          .map(({ offering }) => offering.display_name)
          .join(' / ')}
      </DataText>
    ),
  },
  {
    id: 'started',
    header: 'Started',
    width: '9rem',
    priority: 3,
    cell: ({ started_at: at }) => <Time ms={at ?? null} />,
  },
];

export default function ExperimentsPage(): ReactNode {
  const { projectId } = route.useParams();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const experiments = useInfiniteQuery(experimentsQuery(projectId, status));
  const mayCreate = useMay('createExperiment');
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayCreate.reason}
      onClick={() => setIsCreating(true)}
    >
      New experiment
    </Button>
  );
  return (
    <Page
      title="Experiments"
      note="Each customer is assigned one of 2-4 offerings and keeps it. Results compare the revenue of the variants."
      actions={create}
    >
      <FilterBar isLabelled count={setCount({ status })}>
        <SelectField
          label="Status"
          value={status ?? ''}
          placeholder="All"
          options={statuses.map((value) => ({ value, label: statusLabels[value] }))}
          onChange={({ target }) =>
            void navigate({
              search: { status: statuses.find((one) => one === target.value) },
              replace: true,
            })
          }
        />
      </FilterBar>
      <Panel padded={false}>
        <QueryList
          label="Experiments"
          things="experiments"
          query={experiments}
          queryKey={experimentsQuery(projectId, status).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/experiments/${id}`}
          filtered={status !== undefined}
          onClearFilters={() => void navigate({ search: {} })}
          empty={{
            sentence:
              'An experiment shows different offerings to different customers, and compares what they buy.',
            action: create,
            docs: docsOf('Experiments'),
          }}
        />
      </Panel>
      {isCreating && (
        <ExperimentDialog
          projectId={projectId}
          experiment={null}
          onClose={() => setIsCreating(false)}
          onSaved={(experimentId) =>
            void navigate({
              to: '/projects/$projectId/experiments/$experimentId',
              params: { projectId, experimentId },
            })
          }
        />
      )}
    </Page>
  );
}
