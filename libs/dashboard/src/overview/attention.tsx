import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HealthList } from '../frame/health/health-list.js';
import { healthWarnings } from '../frame/health/health-warnings.js';
import { usePreferences } from '../frame/preferences.js';
import { setupHealthQuery, type SetupHealth } from '../frame/health/setup-health.queries.js';
import { Button, buttonClass } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { Icon } from '../ui/icons.js';
import { Panel } from '../ui/panel.js';
import { Skeleton } from '../ui/loading/skeleton.js';

/** Maximum number of warnings here; the setup page shows the rest. */
const MOST = 3;

/** An unfinished setup and its warnings; empty if there are none. */
export function Attention({ projectId }: { projectId: string }) {
  const { data: health, error, refetch, isFetching } = useQuery(setupHealthQuery(projectId));
  if (health) {
    return (
      <>
        <Unfinished projectId={projectId} health={health} />
        <Warnings projectId={projectId} health={health} />
      </>
    );
  }
  if (!error) return <Skeleton lines={2} />;
  return (
    <Panel title="Needs attention" padded={false}>
      <ErrorPanel error={error} onRetry={refetch} retrying={isFetching} />
    </Panel>
  );
}

interface HealthProps {
  projectId: string;
  health: SetupHealth;
}

function Unfinished({ projectId, health }: HealthProps) {
  const { preferences, change } = usePreferences();
  const dismissed = preferences.dismissedSetups;
  const isFinished = health.apps.length > 0 && health.sdk_versions.length > 0;
  if (isFinished || dismissed.includes(projectId)) return null;
  return (
    <Panel>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 items-start gap-2.5">
          <Icon name="info" className="mt-0.5 text-accent" />
          {health.apps.length === 0
            ? 'Connect your first app. You can make a test purchase in a few minutes.'
            : 'Your app is set up, but no SDK has connected yet.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="ghost" onClick={() => change({ dismissedSetups: [...dismissed, projectId] })}>
            Dismiss
          </Button>
          <Link
            to="/projects/$projectId/setup"
            params={{ projectId }}
            className={buttonClass({ variant: 'primary' })}
          >
            Continue setup
          </Link>
        </div>
      </div>
    </Panel>
  );
}

function Warnings({ projectId, health }: HealthProps) {
  // Hints alone are not worth an interruption.
  const warnings = healthWarnings(health).filter(({ tone }) => tone !== 'accent');
  if (warnings.length === 0) return null;
  const more = warnings.length - MOST;
  return (
    <Panel
      title="Needs attention"
      padded={false}
      actions={
        <Link to="/projects/$projectId/setup" params={{ projectId }}>
          {more > 0
            ? more === 1
              ? '1 more in the setup health'
              : `${more} more in the setup health`
            : 'Setup health'}
        </Link>
      }
    >
      <HealthList projectId={projectId} warnings={warnings.slice(0, MOST)} />
    </Panel>
  );
}
