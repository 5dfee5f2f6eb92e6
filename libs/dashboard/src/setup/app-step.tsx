import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button, buttonClass } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { type App, useCreateTestStore } from './setup.queries.js';
import { storeNames, text } from './setup.text.js';

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
    label: text.app.summary(name, storeNames[type] ?? type),
  }));
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label={text.app.choose}
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
        {text.app.openApp}
      </Link>
      <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
        {text.app.store}
      </Link>
    </div>
  );
}

function FirstApp({ projectId, onMade }: { projectId: string; onMade: () => void }) {
  const may = useMay('createApp');
  const create = useCreateTestStore(projectId, onMade);
  const body = { name: text.app.newName, type: 'test_store' };
  return (
    <>
      <p className="text-muted">{text.app.about}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="flex flex-col items-start gap-3 rounded-md border border-line p-4">
          <p className="grow text-muted">{text.app.tryAbout}</p>
          <Button
            variant="primary"
            icon="flask"
            busy={create.isPending}
            disabledReason={may.reason}
            onClick={() => create.mutate(text.app.newName)}
          >
            {text.app.try}
          </Button>
        </div>
        <div className="flex flex-col items-start gap-3 rounded-md border border-line p-4">
          <p className="grow text-muted">{text.app.storeAbout}</p>
          <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
            {text.app.store}
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
