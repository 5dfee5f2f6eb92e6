import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { useMay } from '../api/permissions.js';
import { Page } from '../frame/pages/page.js';
import { conditionWords } from '../frame/conditions/condition-words.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { CopyId } from '../ui/text/copy-id.js';
import { DataText } from '../ui/text/data-text.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatFullNumber } from '../ui/format/format-number.js';
import { KeyValues } from '../ui/key-values.js';
import { Menu } from '../ui/overlays/menu.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Time } from '../ui/format/time.js';
import { ExperimentDialog } from './experiment-dialog.js';
import { ActionDialog, DeleteExperimentDialog, WinnerDialog } from './experiment-dialogs.js';
import { ExperimentResults } from './experiment-results.js';
import { nextActions, statusTones, variantsOf } from './experiment-words.js';
import { type Experiment, type ExperimentAction, experimentQuery } from './experiments.queries.js';
import { actionLabels, metricNames, modeLabels, statusLabels } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/experiments/$experimentId');
const DAY_SECONDS = 86_400;

type Open = ExperimentAction | 'edit' | 'winner' | 'delete';

const isAction = (open: Open | null): open is ExperimentAction => open !== null && open in actionLabels;

export default function ExperimentPage(): ReactNode {
  const { projectId, experimentId } = route.useParams();
  const navigate = route.useNavigate();
  const query = useQuery(experimentQuery(projectId, experimentId));
  const [open, setOpen] = useState<Open | null>(null);
  const experiment = query.data;
  const close = () => setOpen(null);
  return (
    <Page
      title={experiment?.display_name ?? 'Experiment'}
      inTurn
      note={experiment && <CopyId id={experiment.id} />}
      actions={experiment && <Actions experiment={experiment} onOpen={setOpen} />}
    >
      <Panel title="Setup">
        <QueryPanel query={query} queryKey={experimentQuery(projectId, experimentId).queryKey}>
          {(loaded) => <Facts projectId={projectId} experiment={loaded} />}
        </QueryPanel>
      </Panel>
      {experiment && <ExperimentResults projectId={projectId} experiment={experiment} />}
      {experiment && open === 'edit' && (
        <ExperimentDialog projectId={projectId} experiment={experiment} onClose={close} onSaved={close} />
      )}
      {experiment && open === 'winner' && (
        <WinnerDialog projectId={projectId} experiment={experiment} onClose={close} />
      )}
      {experiment && open === 'delete' && (
        <DeleteExperimentDialog
          projectId={projectId}
          experiment={experiment}
          onClose={close}
          onDeleted={() => void navigate({ to: '/projects/$projectId/experiments', params: { projectId } })}
        />
      )}
      {experiment && isAction(open) && (
        <ActionDialog projectId={projectId} experiment={experiment} action={open} onClose={close} />
      )}
    </Page>
  );
}

function Actions({ experiment, onOpen }: { experiment: Experiment; onOpen: (open: Open) => void }) {
  const { status } = experiment;
  const may = useMay('startExperiment').reason;
  const mayEdit = useMay('updateExperiment').reason;
  const mayDelete = useMay('deleteExperiment').reason;
  return (
    <>
      <Button disabledReason={mayEdit} onClick={() => onOpen('edit')}>
        Edit
      </Button>
      {nextActions[status].map((action) => (
        <Button
          key={action}
          variant={action === 'start' || action === 'resume' ? 'primary' : undefined}
          disabledReason={may}
          onClick={() => onOpen(action)}
        >
          {actionLabels[action]}
        </Button>
      ))}
      {status !== 'draft' && (
        <Button disabledReason={may} onClick={() => onOpen('winner')}>
          Choose a winner
        </Button>
      )}
      {(status === 'draft' || status === 'stopped') && (
        <Menu
          iconOnly
          label="More"
          items={[
            {
              label: 'Delete',
              icon: 'trash',
              danger: true,
              disabledReason: mayDelete,
              onSelect: () => onOpen('delete'),
            },
          ]}
        />
      )}
    </>
  );
}

function Facts({ projectId, experiment }: { projectId: string; experiment: Experiment }) {
  const { locale } = useFormat();
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const { status, targeting_conditions: conditions, winner_variant: winner } = experiment;
  const nameOf = (id: string) => apps.find((app) => app.id === id)?.name ?? id;
  const share = (value: number) => `${formatFullNumber(locale, Math.round(value * 10) / 10)}%`;
  const metricName = (name: string) => metricNames[name] ?? name;
  return (
    <KeyValues
      items={[
        [
          'Status',
          <Badge key="status" tone={statusTones[status]}>
            {statusLabels[status]}
          </Badge>,
        ],
        ...variantsOf(experiment).map(({ id, label, offering, share: part }): [string, ReactNode] => [
          label,
          <span key={id}>
            <DataText>{offering.display_name}</DataText> · {share(part)}{' '}
            {winner === id && <Badge tone="good">Winner</Badge>}
          </span>,
        ]),
        [
          'Audience',
          conditions.length === 0
            ? 'Everyone'
            : conditions.map((one) => conditionWords(one, nameOf)).join('; '),
        ],
        [
          'Who joins',
          `${modeLabels[experiment.enrollment_mode]} · ${share(experiment.enrollment_percentage)}`,
        ],
        ['Started', <Time key="started" ms={experiment.started_at ?? null} />],
        [
          'Running for',
          `${formatFullNumber(locale, Math.floor(experiment.total_running_time_seconds / DAY_SECONDS))} days`,
        ],
        ['Primary metric', metricName(experiment.primary_metric)],
        ...(experiment.notes === null
          ? []
          : [
              [
                'Notes',
                <DataText key="notes" className="whitespace-pre-line">
                  {experiment.notes}
                </DataText>,
              ] as [string, ReactNode],
            ]),
      ]}
    />
  );
}
