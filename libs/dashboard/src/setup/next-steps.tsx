import { Link } from '@tanstack/react-router';
import { allowanceIn, useProject } from '../api/permissions.js';
import { Icon } from '../ui/icons.js';
import { Panel } from '../ui/panel.js';
import { text } from './setup.text.js';

const steps = [
  {
    to: '/projects/$projectId/webhooks',
    operation: 'listWebhookIntegrations',
    icon: 'webhook',
    title: text.next.webhook,
    about: text.next.webhookAbout,
  },
  {
    to: '/projects/$projectId/settings/members',
    operation: 'listCollaborators',
    icon: 'users',
    title: text.next.invite,
    about: text.next.inviteAbout,
  },
  {
    to: '/projects/$projectId/apps',
    operation: 'listApps',
    icon: 'app',
    title: text.next.store,
    about: text.next.storeAbout,
  },
] as const;

/** Suggestions after the first purchase. */
export function NextSteps({ projectId }: { projectId: string }) {
  const project = useProject();
  const shown = steps.filter(({ operation }) => allowanceIn(project, operation).allowed);
  return (
    <Panel title={text.next.title}>
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
