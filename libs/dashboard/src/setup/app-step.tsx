import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button, buttonClass } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { type App, useCreateTestStore } from './setup.queries.js';
import { storeName } from '../api/words.js';
import { summaryText } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/setup');

interface AppStepProps {
  projectId: string;
  apps: App[];
  app: App | undefined;
  onMade: () => void;
}

export function AppStep({ projectId, apps, app, onMade }: AppStepProps) {
  return app ? (
    <ChosenApp projectId={projectId} apps={apps} app={app} />
  ) : (
    <FirstApp projectId={projectId} onMade={onMade} />
  );
}

function ChosenApp({ projectId, apps, app }: { projectId: string; apps: App[]; app: App }) {
  const navigate = route.useNavigate();
  const options = apps.map(({ id, name, type }) => ({
    value: id,
    label: summaryText(name, storeName(type)),
  }));
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="App"
        options={options}
        value={app.id}
        onChange={({ target }) => void navigate({ search: (before) => ({ ...before, app: target.value }) })}
        className="w-full max-w-xs"
      />
      <Link
        to="/projects/$projectId/apps/$appId"
        params={{ projectId, appId: app.id }}
        className={buttonClass()}
      >
        Open the app
      </Link>
      <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
        Connect a store
      </Link>
    </div>
  );
}

function FirstApp({ projectId, onMade }: { projectId: string; onMade: () => void }) {
  const may = useMay('createApp');
  const create = useCreateTestStore(projectId, onMade);
  const body = { name: 'Test Store', type: 'test_store' };
  return (
    <>
      <p className="text-muted">An app connects one store. Its public key goes into the app that you ship.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="flex flex-col items-start gap-3 rounded-md border border-line p-4">
          <p className="grow text-muted">
            No store account needed. Test purchases renew, expire and can be refunded.
          </p>
          <Button
            variant="primary"
            icon="flask"
            busy={create.isPending}
            disabledReason={may.reason}
            onClick={() => create.mutate('Test Store')}
          >
            Try it with the Test Store
          </Button>
        </div>
        <div className="flex flex-col items-start gap-3 rounded-md border border-line p-4">
          <p className="grow text-muted">
            App Store, Google Play, Amazon, Paddle or Stripe, with their credentials.
          </p>
          <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
            Connect a store
          </Link>
        </div>
      </div>
      {create.error && <ErrorPanel error={create.error} />}
      <ShowCall
        operation="POST /v2/projects/{project_id}/apps"
        path={{ project_id: projectId }}
        body={body}
      />
    </>
  );
}
