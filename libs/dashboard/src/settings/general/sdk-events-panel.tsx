import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import type { ProjectSettings, SdkEventsSetting } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';

const labels = {
  essential: {
    label: 'Essential',
    hint: 'Views, cancelled purchases, survey answers and ad revenue.',
  },
  all: { label: 'All', hint: 'Also every touch, workflow step and ad request: up to 20 times as many.' },
  off: { label: 'Off', hint: 'Nothing is stored. Earlier events are kept until they expire.' },
} satisfies Record<SdkEventsSetting, { label: string; hint: string }>;

/** Which events of SDKs are stored. */
export function SdkEventsPanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm(project.id, {
    initial: { sdk_events: project.sdk_events },
    bodyOf: (values) => values,
  });
  return (
    <Panel
      beside
      title="Paywall and survey events"
      description="Apps send what people do on paywalls and in the customer center, and which ads they see. Without these events the paywall charts stay empty."
    >
      <form {...form.formProps} className="grid gap-4">
        <RadioCards
          label="Paywall and survey events"
          labelHidden
          options={(Object.keys(labels) as SdkEventsSetting[]).map((value) => ({
            value,
            ...labels[value],
            disabledReason: may.reason,
          }))}
          {...form.control('sdk_events')}
        />
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
