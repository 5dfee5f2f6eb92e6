import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../frame/pages/page.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { DayField } from '../../ui/forms/day-field.js';
import { download } from '../../ui/format/download.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { periodOf } from '../utc-period.js';
import { ExportResult } from './export-result.js';
import { type ExportRequest, useDownloadExport } from './exports.queries.js';
import { KeyPanel } from './key-panel.js';

const kindLabels = {
  audit_logs: {
    label: 'Audit log',
    hint: 'What happened in the organization and its projects, oldest first.',
  },
  access_review: { label: 'Access review', hint: 'Who can do what in which project, right now.' },
};

const formatLabels = { csv: 'CSV', json: 'JSON' };

const route = getRouteApi('/signed-in/organizations/$orgId/exports');
const kinds = ['audit_logs', 'access_review'] as const;
const formats = ['csv', 'json'] as const;

const initial = {
  kind: 'audit_logs' as ExportRequest['kind'],
  format: 'csv' as ExportRequest['format'],
  days: { from: '', to: '' },
};

const requestOf = ({ kind, format, days }: typeof initial): ExportRequest => ({
  kind,
  format,
  period: kind === 'audit_logs' ? periodOf(days) : {},
});

export default function ExportsPage() {
  const { orgId } = route.useParams();
  const make = useDownloadExport(orgId);
  const form = useForm({
    initial,
    write: make,
    onSubmit: (values) =>
      make.mutate(requestOf(values), { onSuccess: ({ name, blob }) => download(name, blob) }),
  });
  const { kind, format, period } = requestOf(form.values);
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(period)) query.set(name, String(value));
  return (
    <Page
      title="Exports"
      note="Files for auditors, signed by this server. Each export is recorded in the audit log."
    >
      <Panel>
        <form {...form.formProps} className="grid max-w-2xl gap-4">
          <RadioCards
            label="What"
            columns={2}
            options={kinds.map((value) => ({ value, ...kindLabels[value] }))}
            {...form.control('kind')}
          />
          <SelectField
            label="Format"
            options={formats.map((value) => ({ value, label: formatLabels[value] }))}
            {...form.field('format')}
            className="w-40"
          />
          {kind === 'audit_logs' && (
            <div className="grid grid-cols-1 gap-1">
              <div className="flex flex-wrap gap-2">
                <DayField label="From" {...form.control('days.from')} />
                <DayField label="To" {...form.control('days.to')} />
              </div>
              <p className="text-sm text-muted">
                At most 200,000 rows. Without a period: all stored entries.
              </p>
            </div>
          )}
          <FormError error={form.problem} />
          <FormActions>
            <Button type="submit" variant="primary" icon="download" busy={make.isPending}>
              Export
            </Button>
            <ShowCall
              operation={`GET /v2/organizations/{org_id}/exports/{kind}?${query.toString()}`}
              path={{ org_id: orgId, kind }}
            />
          </FormActions>
          <p role="status" className="text-muted empty:hidden">
            {make.isPending && 'Creating and checking the file. This can take a minute.'}
          </p>
        </form>
      </Panel>
      {make.data && <ExportResult file={make.data} />}
      <KeyPanel orgId={orgId} />
    </Page>
  );
}
