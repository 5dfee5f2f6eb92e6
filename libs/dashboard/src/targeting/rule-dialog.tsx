import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { DateTimeField } from '../ui/forms/date-time-field.js';
import { focusFirstError } from '../ui/forms/form.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { ConditionEditor } from './condition-editor.js';
import { partError } from './part-error.js';
import { PlacementEditor } from './placement-editor.js';
import { emptyRule, ruleBodyOf, type RuleDraft, ruleDraftOf } from './rule-form.js';
import { type RuleState, type TargetingRule, useCreateRule, useUpdateRule } from './targeting.queries.js';
import { stateLabels } from './labels.js';

interface RuleDialogProps {
  projectId: string;
  /** Null creates a new one. */
  rule: TargetingRule | null;
  onClose: () => void;
}

type Problems = Partial<Record<'display_name' | 'offering_id' | 'schedule', string>>;

function problemsIn({ name, offeringId, state, startMs }: RuleDraft): Problems {
  return {
    ...(name.trim() === '' && { display_name: 'Give the rule a name.' }),
    ...(offeringId === '' && { offering_id: 'Choose an offering.' }),
    ...(state === 'scheduled' && startMs === null && { schedule: 'A scheduled rule needs a start.' }),
  };
}

/** Creates or edits a targeting rule. */
export function RuleDialog({ projectId, rule, onClose }: RuleDialogProps) {
  const [initial] = useState(() => (rule ? ruleDraftOf(rule) : emptyRule));
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const create = useCreateRule(projectId);
  const update = useUpdateRule(projectId);
  const { isPending, error } = rule ? update : create;
  const offerings = useQuery(offeringNamesQuery(projectId)).data ?? [];
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const options = offerings
    .filter(({ state }) => state === 'active')
    .map(({ id, display_name: label }) => ({ value: id, label }));
  const change = (part: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...part }));

  useEffect(() => {
    if (error || Object.keys(problems).length > 0) focusFirstError(form.current);
  }, [error, problems]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const found = problemsIn(draft);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const done = {
      onSuccess: () => {
        toast({ title: `Saved ${visibleText(draft.name)}` });
        onClose();
      },
    };
    if (rule) update.mutate({ id: rule.id, ...ruleBodyOf(draft) }, done);
    else create.mutate(ruleBodyOf(draft), done);
  };
  const errorOf = (part: string) => problems[part as keyof Problems] ?? partError(error, part);
  const isShown = ['display_name', 'offering_id', 'schedule', 'conditions', 'placements'].some((part) =>
    partError(error, part),
  );
  const placementsError = partError(error, 'placements');
  return (
    <FormDialog
      title={rule ? `Edit ${visibleText(rule.display_name)}` : 'New rule'}
      size="lg"
      fields={{
        form: { ref: form, noValidate: true, onSubmit },
        problem: error && (!isShown || placementsError) ? error.message : null,
        isDirty: JSON.stringify(draft) !== JSON.stringify(initial),
      }}
      submit="Save rule"
      busy={isPending}
      error={error}
      call={{
        operation: rule
          ? 'POST /v2/projects/{project_id}/targeting_rules/{rule_id}'
          : 'POST /v2/projects/{project_id}/targeting_rules',
        path: { project_id: projectId, ...(rule && { rule_id: rule.id }) },
        body: ruleBodyOf(draft),
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        value={draft.name}
        error={errorOf('display_name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <SelectField
        label="Offering"
        hint="What customers of the audience see."
        placeholder="Choose an offering"
        options={options}
        value={draft.offeringId}
        error={errorOf('offering_id')}
        onChange={({ target }) => change({ offeringId: target.value })}
      />
      <SelectField
        label="State"
        options={(['active', 'scheduled', 'inactive'] as const).map((value) => ({
          value,
          label: stateLabels[value],
        }))}
        value={draft.state}
        onChange={({ target }) => change({ state: target.value as RuleState })}
      />
      {draft.state === 'scheduled' && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <DateTimeField
            label="Starts"
            ms={draft.startMs}
            error={errorOf('schedule')}
            onChange={(startMs) => change({ startMs })}
          />
          <DateTimeField label="Ends" optional ms={draft.endMs} onChange={(endMs) => change({ endMs })} />
        </div>
      )}
      <ConditionEditor
        conditions={draft.conditions}
        apps={apps}
        errorAt={(index) => partError(error, `conditions[${index}]`)}
        onChange={(conditions) => change({ conditions })}
      />
      <PlacementEditor
        placements={draft.placements}
        fallbackId={draft.fallbackId}
        offerings={options}
        onChange={change}
      />
    </FormDialog>
  );
}
