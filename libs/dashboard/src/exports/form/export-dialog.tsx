import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { type Dataset, datasetsQuery } from '../datasets.queries.js';
import { destinationsQuery, type Export, type ExportDestination } from '../exports.queries.js';
import { useCreateExport, useUpdateExport } from '../exports.writes.js';
import { ExportFields } from './export-fields.js';
import { bodyOf, changes, emptyForm, formOf, makesFull, problemsOf } from './export-form.js';

interface ExportDialogProps {
  projectId: string;
  /** The export to change; null for a new one. */
  found: Export | null;
  /** The destination of a new export. */
  destinationId?: string;
  onClose: () => void;
  onCreated?: (created: Export) => void;
}

interface LoadedProps extends ExportDialogProps {
  datasets: Dataset[];
  destinations: ExportDestination[];
}

/** The settings of an export, once the data sets and destinations to choose from are loaded. */
export function ExportDialog(props: ExportDialogProps) {
  const { projectId, found, onClose } = props;
  const datasets = useQuery(datasetsQuery(projectId));
  const destinations = useQuery(destinationsQuery(projectId));
  if (datasets.data === undefined || destinations.data === undefined) {
    const loading = datasets.data === undefined ? datasets : destinations;
    const { queryKey } =
      datasets.data === undefined ? datasetsQuery(projectId) : destinationsQuery(projectId);
    return (
      <Dialog open onClose={onClose} title={found === null ? 'New export' : 'Edit export'} size="lg">
        <QueryPanel query={loading} queryKey={queryKey}>
          {() => null}
        </QueryPanel>
      </Dialog>
    );
  }
  const loaded = { datasets: datasets.data, destinations: destinations.data };
  return found === null ? (
    <NewExport {...props} {...loaded} />
  ) : (
    <Edit {...props} {...loaded} found={found} />
  );
}

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function NewExport({ projectId, destinationId, datasets, destinations, onClose, onCreated }: LoadedProps) {
  const create = useCreateExport(projectId);
  const first = destinationId ?? (destinations.length === 1 ? destinations[0]?.id : undefined);
  const form = useForm({
    initial: emptyForm(browserZone(), first ?? ''),
    check: problemsOf,
    write: create,
    onSubmit: (values) =>
      create.mutate(bodyOf(values, datasets), {
        onSuccess: (created) => {
          onClose();
          onCreated?.(created);
        },
      }),
  });
  return (
    <FormDialog
      title="New export"
      form={form}
      submit="Create export"
      size="lg"
      call={{
        operation: 'POST /v2/projects/{project_id}/integrations/exports',
        path: { project_id: projectId },
        body: bodyOf(form.values, datasets),
      }}
      onClose={onClose}
    >
      <ExportFields form={form} datasets={datasets} destinations={destinations} />
    </FormDialog>
  );
}

function Edit({ projectId, found, datasets, destinations, onClose }: LoadedProps & { found: Export }) {
  const toast = useToast();
  const update = useUpdateExport(projectId, found.id);
  const form = useForm({
    initial: formOf(found, browserZone()),
    check: problemsOf,
    write: update,
    onSubmit: (values) =>
      update.mutate(changes(values, found, datasets), {
        onSuccess: () => {
          toast({ title: 'Changes saved', tone: 'good' });
          onClose();
        },
      }),
  });
  const body = changes(form.values, found, datasets);
  return (
    <FormDialog
      title="Edit export"
      form={form}
      submit="Save changes"
      size="lg"
      call={{
        operation: 'POST /v2/projects/{project_id}/integrations/exports/{export_id}',
        path: { project_id: projectId, export_id: found.id },
        body,
      }}
      onClose={onClose}
    >
      <ExportFields form={form} datasets={datasets} destinations={destinations} />
      {found.mode === 'incremental' && makesFull(body) && (
        <p role="status" className="text-muted">
          The next run delivers every row, because these changes concern rows that were delivered before.
        </p>
      )}
    </FormDialog>
  );
}
