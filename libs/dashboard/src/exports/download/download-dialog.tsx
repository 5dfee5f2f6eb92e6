import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { download } from '../../ui/format/download.js';
import { useToast } from '../../ui/overlays/toast.js';
import { datasetHint, datasetLabel } from '../dataset-labels.js';
import { datasetsQuery } from '../datasets.queries.js';
import { type DownloadQuery, useDownloadDataset } from './download.queries.js';

const initial = {
  dataset: 'transactions' as DownloadQuery['dataset'],
  format: 'csv' as NonNullable<DownloadQuery['format']>,
  includeSandbox: false,
  spreadsheet_safe: true,
  updated_after: null as number | null,
};

function queryOf({ dataset, format, includeSandbox, spreadsheet_safe, updated_after }: typeof initial) {
  return {
    dataset,
    format,
    environment: includeSandbox ? 'all' : 'production',
    ...(format === 'csv' && { spreadsheet_safe }),
    ...(updated_after !== null && { updated_after }),
  } satisfies DownloadQuery;
}

/** Downloads one data set, without a destination. */
export function DownloadDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const toast = useToast();
  const datasets = useQuery(datasetsQuery(projectId));
  const load = useDownloadDataset(projectId);
  const form = useForm({
    initial,
    write: load,
    onSubmit: (values) =>
      load.mutate(queryOf(values), {
        onSuccess: ({ name, blob }) => {
          download(name, blob);
          toast({ title: 'Data downloaded', tone: 'good' });
          onClose();
        },
      }),
  });
  const { values, field, control, checkbox } = form;
  const names = new Set<string>([values.dataset, ...(datasets.data ?? []).map(({ name }) => name)]);
  return (
    <FormDialog
      title="Download data"
      form={form}
      submit="Download"
      call={{
        operation: 'GET /v2/projects/{project_id}/integrations/exports/download',
        path: { project_id: projectId },
        query: Object.fromEntries(
          Object.entries(queryOf(values)).map(([name, value]) => [name, String(value)]),
        ),
      }}
      onClose={onClose}
    >
      <SelectField
        label="Data set"
        {...field('dataset')}
        options={[...names].map((name) => ({
          value: name,
          label: datasetLabel(name),
          hint: datasetHint(name),
        }))}
      />
      <RadioCards
        label="Format"
        columns={2}
        {...control('format')}
        options={[
          { value: 'csv', label: 'CSV (gzip)' },
          { value: 'parquet', label: 'Parquet' },
        ]}
      />
      <DateTimeField label="Only rows changed since" optional {...control('updated_after')} />
      <Checkbox label="Include sandbox data" {...checkbox('includeSandbox')} />
      {values.format === 'csv' && (
        <Checkbox
          label="Make safe for spreadsheets"
          hint="Puts an apostrophe before text that a spreadsheet would run as a formula."
          {...checkbox('spreadsheet_safe')}
        />
      )}
      <p role="status" className="text-muted empty:hidden">
        {form.isPending && 'Preparing the file. Large data sets take a few minutes.'}
      </p>
    </FormDialog>
  );
}
