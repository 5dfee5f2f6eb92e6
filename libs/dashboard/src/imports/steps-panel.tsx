import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { allowanceIn, useProject } from '../api/permissions.js';
import { CodeBlock } from '../ui/text/code-block.js';
import { Panel } from '../ui/panel.js';
import type { ImportTask } from './import-command.js';

const cutOverTasks = [
  'Stores send their notifications here, and this server forwards them to the vendor.',
  'Webhooks of this project go to a receiver that only records them, until you trust them.',
  'A new version of your app has this server’s address. Apps in use keep their public key.',
  'Your backend switches with the release. Then forwarding ends and the source key is deleted.',
];

interface StepsPanelProps {
  projectId: string;
  commandOf: (task: ImportTask) => string;
  /** Select for the command that starts the CLI. */
  choice: ReactNode;
}

/** Steps of a migration, from the keys to the switch. */
export function StepsPanel({ projectId, commandOf, choice }: StepsPanelProps) {
  const params = { projectId };
  const project = useProject();
  const may = (operation: string) => allowanceIn(project, operation).allowed;
  return (
    <Panel title="Move from the vendor" actions={choice}>
      <ol className="flex flex-col gap-6">
        <Step number={1} title="Create the keys">
          <p>
            At the vendor: a secret key of API version 2 that may read the project configuration and the
            customer information.
          </p>
          <p>
            Here: a secret key with every permission.{' '}
            {may('listApiKeys') && (
              <Link to="/projects/$projectId/settings/keys" params={params}>
                Go to the API keys
              </Link>
            )}
          </p>
          <p className="text-muted">
            The command asks for both. In a script set TENURE_SOURCE_KEY and TENURE_KEY.
          </p>
        </Step>
        <Step number={2} title="Run the import">
          <p>First a dry run, which reads everything and writes nothing:</p>
          <CodeBlock
            label="First a dry run, which reads everything and writes nothing:"
            code={commandOf('try')}
            copy
          />
          <p>Then the import itself:</p>
          <CodeBlock label="Then the import itself:" code={commandOf('import')} copy />
          <p className="text-muted">
            When it is started again, it continues where it stopped. It can be repeated every day until you
            switch: later changes here are kept.
          </p>
          <p>
            Add the credentials of each store now, and import once more, so that the stores confirm the
            imported purchases.{' '}
            {may('listApps') && (
              <Link to="/projects/$projectId/apps" params={params}>
                Go to the apps
              </Link>
            )}
          </p>
        </Step>
        <Step number={3} title="Verify">
          <p>
            Compares who has access to what on both sides, customer by customer. Continue when it finds no
            difference for some days, and when few purchases above wait for a store.
          </p>
          <CodeBlock label="Verify" code={commandOf('verify')} copy />
        </Step>
        <Step number={4} title="Cut over">
          <p>Prints what is left to do, with the addresses and ids of this project:</p>
          <CodeBlock label="Cut over" code={commandOf('plan')} copy />
          <ul className="list-disc ps-5">
            {cutOverTasks.map((task) => (
              <li key={task}>{task}</li>
            ))}
          </ul>
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {may('listApps') && (
              <Link to="/projects/$projectId/setup" params={params}>
                See the code for your app
              </Link>
            )}
            {may('listWebhookIntegrations') && (
              <Link to="/projects/$projectId/webhooks" params={params}>
                Go to the webhooks
              </Link>
            )}
          </p>
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 gap-3">
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full border border-edge text-sm font-medium tabular-nums"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h3 className="font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}
