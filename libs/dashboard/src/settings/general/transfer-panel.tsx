import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { TransferTable } from './transfer-table.js';
import { type ProjectSettings, type TransferBehavior, useUpdateProject } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { behaviorLabels } from './labels.js';

const SAME = 'same';

/** Behavior of restores, for production and sandbox purchases. */
export function TransferPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  const [production, setProduction] = useState(project.transfer_behavior);
  const [sandbox, setSandbox] = useState<TransferBehavior | typeof SAME>(
    project.sandbox_transfer_behavior ?? SAME,
  );
  const body = {
    transfer_behavior: production,
    sandbox_transfer_behavior: sandbox === SAME ? null : sandbox,
  };
  useDirtyForm(
    body.transfer_behavior !== project.transfer_behavior ||
      body.sandbox_transfer_behavior !== project.sandbox_transfer_behavior,
  );
  const behaviors = (Object.keys(behaviorLabels) as TransferBehavior[]).map((value) => ({
    value,
    ...behaviorLabels[value],
    disabledReason: may.reason,
  }));
  return (
    <Panel
      title="Restoring purchases"
      description="What happens when someone restores a purchase, or sends its receipt, that belongs to another customer."
    >
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (update.isPending || !may.allowed) return;
          update.mutate(body, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
        }}
      >
        <RadioCards
          label="Production purchases"
          columns={2}
          options={behaviors}
          value={production}
          onChange={setProduction}
        />
        <RadioCards
          label="Sandbox purchases"
          columns={2}
          options={[
            {
              value: SAME,
              label: 'As for production',
              hint: 'Sandbox purchases follow the same rule.',
              disabledReason: may.reason,
            },
            ...behaviors,
          ]}
          value={sandbox}
          onChange={setSandbox}
        />
        <TransferTable />
        <SaveProject projectId={project.id} update={update} body={body} error={update.error?.message} />
      </form>
    </Panel>
  );
}
