import { useQuery } from '@tanstack/react-query';
import { Icon } from '../ui/icons.js';
import { Skeleton } from '../ui/loading/skeleton.js';
import { Panel } from '../ui/panel.js';
import { reportingQuery } from './store-reports.queries.js';

/** Shown if no app reports purchases. */
export function ReportingNote({ projectId }: { projectId: string }) {
  const { data: isOn, isLoading } = useQuery(reportingQuery(projectId));
  if (isLoading) return <Skeleton lines={2} />;
  if (isOn !== false) return null;
  return (
    <Panel>
      <p className="flex items-start gap-2.5">
        <Icon name="info" className="mt-0.5 text-accent" />
        Reporting is off. Tokens are still stored.
      </p>
    </Panel>
  );
}
