import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { allowanceIn, useProject } from '../api/permissions.js';
import { CodeBlock } from '../ui/text/code-block.js';
import { Panel } from '../ui/panel.js';
import type { ImportTask } from './import-command.js';
import { text } from './imports.text.js';

const words = text.steps;

interface StepsPanelProps {
  projectId: string;
  commandOf: (task: ImportTask) => string;
  /** Select for the command that starts the CLI. */
  choice: ReactNode;
}

/** Steps of a migration, from the keys to the switch. */
export function StepsPanel({ projectId, commandOf, choice }: StepsPanelProps) {
  const { key, run, verify, cutOver } = words;
  const params = { projectId };
  const project = useProject();
  const may = (operation: string) => allowanceIn(project, operation).allowed;
  return (
    <Panel title={words.title} actions={choice}>
      <ol className="flex flex-col gap-6">
        <Step number={1} title={key.title}>
          <p>{key.source}</p>
          <p>
            {key.target}{' '}
            {may('listApiKeys') && (
              <Link to="/projects/$projectId/settings/keys" params={params}>
                {key.toKeys}
              </Link>
            )}
          </p>
          <p className="text-muted">{key.asked}</p>
        </Step>
        <Step number={2} title={run.title}>
          <p>{run.dry}</p>
          <CodeBlock label={run.dry} code={commandOf('try')} copy />
          <p>{run.real}</p>
          <CodeBlock label={run.real} code={commandOf('import')} copy />
          <p className="text-muted">{run.again}</p>
          <p>
            {run.credentials}{' '}
            {may('listApps') && (
              <Link to="/projects/$projectId/apps" params={params}>
                {run.toApps}
              </Link>
            )}
          </p>
        </Step>
        <Step number={3} title={verify.title}>
          <p>{verify.about}</p>
          <CodeBlock label={verify.title} code={commandOf('verify')} copy />
        </Step>
        <Step number={4} title={cutOver.title}>
          <p>{cutOver.about}</p>
          <CodeBlock label={cutOver.title} code={commandOf('plan')} copy />
          <ul className="list-disc ps-5">
            {cutOver.tasks.map((task) => (
              <li key={task}>{task}</li>
            ))}
          </ul>
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {may('listApps') && (
              <Link to="/projects/$projectId/setup" params={params}>
                {cutOver.toSetup}
              </Link>
            )}
            {may('listWebhookIntegrations') && (
              <Link to="/projects/$projectId/webhooks" params={params}>
                {cutOver.toWebhooks}
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
