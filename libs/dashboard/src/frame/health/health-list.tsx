import { Link } from '@tanstack/react-router';
import { DataText } from '../../ui/text/data-text.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { toneText } from '../../ui/tone.js';
import type { Cure, HealthWarning } from './health-warnings.js';

const looks: Record<HealthWarning['tone'], { icon: IconName; word: string }> = {
  bad: { icon: 'error', word: 'Problem' },
  warn: { icon: 'warning', word: 'Warning' },
  accent: { icon: 'info', word: 'Hint' },
};

/** Warnings about the setup, each with a link to fix it. */
export function HealthList({ projectId, warnings }: { projectId: string; warnings: HealthWarning[] }) {
  return (
    <ul className="divide-y divide-line">
      {warnings.map(({ id, tone, subject, text, cure }) => (
        <li key={id} className="flex gap-2.5 px-4 py-2.5">
          <Icon name={looks[tone].icon} label={looks[tone].word} className={`mt-0.5 ${toneText[tone]}`} />
          <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <p className="min-w-0 flex-[1_1_18rem]">
              <DataText className="font-medium">{subject}</DataText>{' '}
              <span className="text-muted">
                <DataText>{text}</DataText>
              </span>
            </p>
            <CureLink projectId={projectId} cure={cure} about={subject} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function CureLink({ projectId, cure, about }: { projectId: string; cure: Cure; about: string }) {
  const named = (
    <span className="sr-only">
      {' '}
      for <DataText>{about}</DataText>
    </span>
  );
  switch (cure.page) {
    case 'app':
      return (
        <Link to="/projects/$projectId/apps/$appId" params={{ projectId, appId: cure.appId }}>
          Open the app{named}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/projects/$projectId/webhooks/$webhookId" params={{ projectId, webhookId: cure.webhookId }}>
          Open the webhook{named}
        </Link>
      );
    case 'products':
      return (
        <Link to="/projects/$projectId/catalog/products" params={{ projectId }} search={{ app: cure.appId }}>
          Add the product{named}
        </Link>
      );
    case 'paywalls':
      return (
        <Link to="/projects/$projectId/catalog/paywalls" params={{ projectId }}>
          See paywalls{named}
        </Link>
      );
    case 'transactions':
      return (
        <Link to="/projects/$projectId/transactions" params={{ projectId }}>
          See transactions{named}
        </Link>
      );
  }
}
