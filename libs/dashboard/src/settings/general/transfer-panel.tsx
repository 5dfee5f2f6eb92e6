import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import { TransferTable } from './transfer-table.js';
import type { ProjectSettings, TransferBehavior } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';
import { behaviorLabels } from './labels.js';

const SAME = 'same';

interface TransferValues {
  transfer_behavior: TransferBehavior;
  sandbox_transfer_behavior: TransferBehavior | typeof SAME;
}

const bodyOf = ({ sandbox_transfer_behavior: sandbox, ...values }: TransferValues) => ({
  ...values,
  sandbox_transfer_behavior: sandbox === SAME ? null : sandbox,
});

/** Behavior of restores, for production and sandbox purchases. */
export function TransferPanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm<TransferValues>(project.id, {
    initial: {
      transfer_behavior: project.transfer_behavior,
      sandbox_transfer_behavior: project.sandbox_transfer_behavior ?? SAME,
    },
    bodyOf,
  });
  const behaviors = (Object.keys(behaviorLabels) as TransferBehavior[]).map((value) => ({
    value,
    ...behaviorLabels[value],
    disabledReason: may.reason,
  }));
  return (
    <Panel
      beside
      title="Restoring purchases"
      description="What happens when someone restores a purchase, or sends its receipt, that belongs to another customer."
    >
      <form {...form.formProps} className="grid gap-5">
        <RadioCards
          label="Production purchases"
          columns={2}
          options={behaviors}
          {...form.control('transfer_behavior')}
        />
        <RadioCards
          label="Sandbox purchases"
          columns={2}
          options={[
            {
              value: SAME,
              label: 'Same as production',
              hint: 'Sandbox purchases follow the same rule.',
              disabledReason: may.reason,
            },
            ...behaviors,
          ]}
          {...form.control('sandbox_transfer_behavior')}
        />
        <TransferTable />
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
