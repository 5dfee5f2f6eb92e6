import { Link } from '@tanstack/react-router';
import { allowanceIn, useProject } from '../api/permissions.js';
import { Icon } from '../ui/icons.js';
import { Panel } from '../ui/panel.js';

const steps = [
  {
    to: '/projects/$projectId/webhooks',
    operation: 'listWebhookIntegrations',
    icon: 'webhook',
    title: 'Send events to your backend',
    about: 'A webhook for each purchase, renewal and refund.',
  },
  {
    to: '/projects/$projectId/settings/members',
    operation: 'listCollaborators',
    icon: 'users',
    title: 'Invite a colleague',
    about: 'Developers, support and finance see what their role allows.',
  },
  {
    to: '/projects/$projectId/apps',
    operation: 'listApps',
    icon: 'app',
    title: 'Connect a store',
    about: 'Real purchases need store credentials.',
  },
] as const;

/** Suggestions after the first purchase. */
export function NextSteps({ projectId }: { projectId: string }) {
  const project = useProject();
  const shown = steps.filter(({ operation }) => allowanceIn(project, operation).allowed);
  return (
    <Panel title="What comes next">
      <ul className="grid gap-3 sm:grid-cols-3">
        {shown.map(({ to, icon, title, about }) => (
          <li key={to} className="flex gap-2.5">
            <Icon name={icon} className="mt-0.5 text-muted" />
            <div className="min-w-0">
              <Link to={to} params={{ projectId }} className="font-medium">
                {title}
              </Link>
              <p className="text-muted">{about}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
