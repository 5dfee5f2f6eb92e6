import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../api/apps.queries.js';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { useForm } from '../frame/forms/use-form.js';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { KeyValues } from '../ui/key-values.js';
import { Panel } from '../ui/panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type Evaluation, useEvaluate } from './targeting.queries.js';

const sourceLabels = {
  override: 'It was assigned to the customer.',
  experiment: 'It is the variant of an experiment.',
  rule: 'It is the offering of a rule.',
  default: 'No rule matches: it is the current offering.',
} satisfies Record<Evaluation['source'], string>;

const experimentOutcomeLabels = {
  enrolled: 'the customer is in it',
  joins: 'the customer would join',
  paused: 'paused',
  conditions: 'the audience does not match',
  percentage: 'left out by the percentage',
  blocked: 'the customer is blocked',
  override: 'the customer has an offering of their own',
  holdout: 'in the holdout group',
  other_experiment: 'the customer is in another one',
  not_new: 'only for new customers',
  was_in_it: 'the customer was in it before',
} satisfies Record<Evaluation['experiments'][number]['outcome'], string>;

const ruleOutcomeLabels = {
  taken: 'matches',
  not_live: 'not live',
  conditions: 'does not match',
  not_reached: 'not asked',
} satisfies Record<Evaluation['rules'][number]['outcome'], string>;

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
  const form = useForm({
    initial: empty,
    check: ({ app_id: app }) => ({ app_id: app === '' ? 'Choose an app.' : null }),
    write: evaluate,
    onSubmit: (values) => evaluate.mutate(bodyOf(values)),
  });
  return (
    <Panel title="What would a customer see?" description="The customer joins no experiment.">
      <form className="grid gap-4" {...form.formProps}>
        <FormError error={form.problem} />
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
          <SelectField
            label="App"
            placeholder="Choose an app"
            options={apps.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.field('app_id')}
          />
          <TextField
            label="App user id"
            hint="Empty: a new customer."
            mono
            optional
            autoComplete="off"
            {...form.field('app_user_id')}
          />
          <TextField label="Country" optional autoComplete="off" {...form.field('country')} />
          <TextField label="Platform" optional autoComplete="off" {...form.field('platform')} />
          <TextField label="App version" optional autoComplete="off" {...form.field('app_version')} />
        </div>
        <FormActions>
          <Button type="submit" busy={evaluate.isPending} disabledReason={may.reason}>
            Show the offering
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}/targeting_rules/actions/evaluate"
            path={{ project_id: projectId }}
            body={bodyOf(form.values)}
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
            'Sees',
            offering === null ? 'No offering' : <DataText key="offering">{offeringName(offering)}</DataText>,
          ],
          ...places.map(([name, id]): [string, string] => [
            visibleText(name),
            id === null ? 'No offering' : visibleText(offeringName(String(id))),
          ]),
          ['Why this offering', sourceLabels[source]],
        ]}
      />
      {(experiments.length > 0 || rules.length > 0) && (
        <ul className="grid gap-1 text-sm">
          {experiments.map(({ id, display_name: name, outcome }) => (
            <li key={id}>
              <DataText>{name}</DataText>: {experimentOutcomeLabels[outcome]}
            </li>
          ))}
          {rules.map(({ id, display_name: name, outcome, failed_condition: failed }) => (
            <li key={id}>
              <DataText>{name}</DataText>: {ruleOutcomeLabels[outcome]}
              {failed !== null && `, ${`condition ${failed + 1} does not hold`}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
