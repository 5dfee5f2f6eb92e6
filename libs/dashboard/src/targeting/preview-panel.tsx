import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../api/apps.queries.js';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { useFields } from '../frame/forms/use-fields.js';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { KeyValues } from '../ui/key-values.js';
import { Panel } from '../ui/panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type Evaluation, useEvaluate } from './targeting.queries.js';
import { text } from './targeting.text.js';

interface PreviewPanelProps {
  projectId: string;
  offeringName: (id: string) => string;
}

const empty = { app_id: '', app_user_id: '', country: '', platform: '', app_version: '' };

/** Includes only fields with a value. */
const bodyOf = (values: typeof empty) => ({
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  app_id: values.app_id,
});

/** Previews the offering for a customer, with the reason. */
export function PreviewPanel({ projectId, offeringName }: PreviewPanelProps) {
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const may = useMay('evaluateTargeting');
  const evaluate = useEvaluate(projectId);
  const fields = useFields({
    initial: empty,
    check: ({ app_id: app }) => ({ app_id: app === '' ? text.appMissing : null }),
    error: evaluate.error,
    busy: evaluate.isPending,
    onSubmit: (values) => evaluate.mutate(bodyOf(values)),
  });
  return (
    <Panel title={text.preview} description={text.previewHint}>
      <form className="grid gap-4" {...fields.form}>
        <FormError error={fields.problem} />
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-5">
          <SelectField
            label={text.app}
            placeholder={text.chooseApp}
            options={apps.map(({ id, name }) => ({ value: id, label: name }))}
            {...fields.field('app_id')}
          />
          <TextField
            label={text.customer}
            hint={text.customerHint}
            mono
            optional
            autoComplete="off"
            {...fields.field('app_user_id')}
          />
          <TextField label={text.country} optional autoComplete="off" {...fields.field('country')} />
          <TextField label={text.platform} optional autoComplete="off" {...fields.field('platform')} />
          <TextField label={text.appVersion} optional autoComplete="off" {...fields.field('app_version')} />
        </div>
        <FormActions>
          <Button type="submit" busy={evaluate.isPending} disabledReason={may.reason}>
            {text.ask}
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}/targeting_rules/actions/evaluate"
            path={{ project_id: projectId }}
            body={bodyOf(fields.values)}
          />
        </FormActions>
      </form>
      {evaluate.data && <Decision decision={evaluate.data} offeringName={offeringName} />}
    </Panel>
  );
}

function Decision({
  decision,
  offeringName,
}: {
  decision: Evaluation;
  offeringName: (id: string) => string;
}) {
  const { offering_id: offering, source, rules, experiments, placements } = decision;
  const places = Object.entries(placements.offering_ids_by_placement);
  return (
    <div role="status" className="mt-4 grid gap-4 border-t border-line pt-4">
      <KeyValues
        items={[
          [
            text.sees,
            offering === null ? text.nothing : <DataText key="offering">{offeringName(offering)}</DataText>,
          ],
          ...places.map(([name, id]): [string, string] => [
            visibleText(name),
            id === null ? text.nothing : visibleText(offeringName(String(id))),
          ]),
          [text.because, text.sources[source]],
        ]}
      />
      {(experiments.length > 0 || rules.length > 0) && (
        <ul className="grid gap-1 text-sm">
          {experiments.map(({ id, display_name: name, outcome }) => (
            <li key={id}>
              <DataText>{name}</DataText>: {text.experimentOutcomes[outcome]}
            </li>
          ))}
          {rules.map(({ id, display_name: name, outcome, failed_condition: failed }) => (
            <li key={id}>
              <DataText>{name}</DataText>: {text.ruleOutcomes[outcome]}
              {failed !== null && `, ${text.failedAt(failed + 1)}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
