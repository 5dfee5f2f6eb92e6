import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button, IconButton } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type PlanStep, type TestClock, useUpdateClock } from './test-clocks.queries.js';

const testClocksSteps = {
  renew: 'Renew',
  cancel: 'Cancel halfway',
  billing_issue: 'Billing issue',
  billing_recovery: 'Billing issue, then recovery',
} satisfies Record<PlanStep, string>;

const options = (Object.keys(testClocksSteps) as PlanStep[]).map((value) => ({
  value,
  label: testClocksSteps[value],
}));

/** The result of each period, in order. */
export function PlanPanel({ clock, projectId }: { clock: TestClock; projectId: string }) {
  const update = useUpdateClock(projectId, clock.id);
  const may = useMay('updateTestClock');
  const toast = useToast();
  const form = useForm({
    initial: { plan: clock.plan },
    write: update,
    onSubmit: (values) => {
      if (may.allowed) update.mutate(values, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(form.isDirty);
  const { plan } = form.values;
  const setPlan = (steps: PlanStep[]) => form.set('plan', steps);
  const swap = (index: number, other: number) =>
    setPlan(plan.map((step, at) => (at === index ? plan[other]! : at === other ? plan[index]! : step)));
  return (
    <Panel
      title="Plan"
      description="The outcome of each period, in order. The last step applies to all later periods."
    >
      <form {...form.formProps} className="grid gap-4">
        <ol className="grid max-w-md gap-2">
          {plan.map((_, index) => (
            // Steps have no id, only their position.
            <li key={index} className="flex items-end gap-1">
              <SelectField
                className="grow"
                label={index === plan.length - 1 ? `Period ${index + 1} and later` : `Period ${index + 1}`}
                disabled={!may.allowed}
                options={options}
                {...form.field(`plan.${index}`)}
              />
              <IconButton
                icon="arrow-up"
                label={`Move period ${index + 1} up`}
                disabled={index === 0}
                disabledReason={may.reason}
                onClick={() => swap(index, index - 1)}
              />
              <IconButton
                icon="arrow-down"
                label={`Move period ${index + 1} down`}
                disabled={index === plan.length - 1}
                disabledReason={may.reason}
                onClick={() => swap(index, index + 1)}
              />
              <IconButton
                icon="trash"
                label={`Remove period ${index + 1}`}
                disabled={plan.length === 1}
                disabledReason={may.reason}
                onClick={() => setPlan(plan.filter((__, at) => at !== index))}
              />
            </li>
          ))}
        </ol>
        <Button
          className="justify-self-start"
          icon="plus"
          disabled={plan.length >= 100}
          disabledReason={may.reason}
          onClick={() => setPlan([...plan, 'renew'])}
        >
          Add a period
        </Button>
        <FormError error={form.problem ?? form.errorAt('plan')} />
        <FormActions>
          <Button type="submit" busy={update.isPending} disabledReason={may.reason}>
            Save plan
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}/test_clocks/{test_clock_id}"
            path={{ project_id: projectId, test_clock_id: clock.id }}
            body={form.values}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
