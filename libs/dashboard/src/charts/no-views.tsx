import { Link } from '@tanstack/react-router';
import { Panel } from '../ui/panel.js';
import { EmptyState } from '../ui/loading/empty-state.js';

/** Shown instead of a chart of paywalls without views. */
export function NoViews({ projectId }: { projectId: string }) {
  return (
    <Panel>
      <EmptyState
        sentence="No app showed a paywall in this range. SDKs on Android send these events to the vendor only: add one call to your app."
        action={
          <Link to="/projects/$projectId/apps" params={{ projectId }} className="text-sm">
            Open an app for the code
          </Link>
        }
      />
    </Panel>
  );
}
