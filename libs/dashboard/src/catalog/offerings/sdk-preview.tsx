import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../ui/text/code-block.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { appsQuery } from '../../api/apps.queries.js';
import { isArchived, type Offering } from '../catalog.types.js';
import { sdkOffering } from './sdk-offering.js';

interface SdkPreviewProps {
  projectId: string;
  offering: Offering;
  appId: string | undefined;
  onApp: (id: string) => void;
}

/** The offering as an app's SDKs receive it. */
export function SdkPreview({ projectId, offering, appId, onApp }: SdkPreviewProps) {
  const query = useQuery(appsQuery(projectId));
  return (
    <Panel
      title="What an SDK gets"
      description={'This offering in the answer of GET /v1/subscribers/{app_user_id}/offerings.'}
    >
      <QueryPanel query={query} queryKey={appsQuery(projectId).queryKey}>
        {(apps) => {
          const app = apps.find(({ id }) => id === appId) ?? apps[0];
          if (!app) return <p className="text-muted">There are no apps yet.</p>;
          if (isArchived(offering))
            return <p className="text-muted">SDKs do not get an archived offering.</p>;
          const { answer, leftOut } = sdkOffering(offering, app);
          return (
            <div className="grid gap-3">
              {apps.length > 1 && (
                <SelectField
                  label="App"
                  className="w-64 max-w-full"
                  value={app.id}
                  onChange={({ target }) => onApp(target.value)}
                  options={apps.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
                />
              )}
              {leftOut.length > 0 && (
                <p>{`Left out, since they have no active product of this app: ${leftOut.map(visibleText).join(', ')}.`}</p>
              )}
              <CodeBlock label="What an SDK gets" code={JSON.stringify(answer, null, 2)} copy />
            </div>
          );
        }}
      </QueryPanel>
    </Panel>
  );
}
