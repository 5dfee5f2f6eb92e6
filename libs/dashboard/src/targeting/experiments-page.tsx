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
import { text } from './experiments.text.js';

const route = getRouteApi('/signed-in/projects/$projectId/experiments');
const statuses: readonly ExperimentStatus[] = ['draft', 'running', 'paused', 'stopped'];

const columns: Column<Experiment>[] = [
  {
    id: 'name',
    header: text.columns.name,
    priority: 1,
    cell: ({ display_name: name }) => <DataText truncate>{name}</DataText>,
  },
  {
    id: 'status',
    header: text.columns.status,
    width: '7rem',
    priority: 1,
    cell: ({ status }) => <Badge tone={statusTones[status]}>{text.statuses[status]}</Badge>,
  },
  {
    id: 'variants',
    header: text.columns.variants,
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
    header: text.columns.started,
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
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} note={text.note} actions={create}>
      <FilterBar isLabelled count={setCount({ status })}>
        <SelectField
          label={text.columns.status}
          value={status ?? ''}
          placeholder={text.all}
          options={statuses.map((value) => ({ value, label: text.statuses[value] }))}
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
          label={text.title}
          things={text.things}
          query={experiments}
          queryKey={experimentsQuery(projectId, status).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/experiments/${id}`}
          filtered={status !== undefined}
          onClearFilters={() => void navigate({ search: {} })}
          empty={{ sentence: text.empty, action: create, docs: docsOf('Experiments') }}
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
