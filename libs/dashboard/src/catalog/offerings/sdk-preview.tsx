import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../ui/text/code-block.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { appsQuery } from '../../api/apps.queries.js';
import { isArchived, type Offering } from '../catalog.types.js';
import { text } from './offerings.text.js';
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
    <Panel title={text.preview} description={text.previewHint}>
      <QueryPanel query={query} queryKey={appsQuery(projectId).queryKey}>
        {(apps) => {
          const app = apps.find(({ id }) => id === appId) ?? apps[0];
          if (!app) return <p className="text-muted">{text.noApps}</p>;
          if (isArchived(offering)) return <p className="text-muted">{text.archivedPreview}</p>;
          const { answer, leftOut } = sdkOffering(offering, app);
          return (
            <div className="grid gap-3">
              {apps.length > 1 && (
                <SelectField
                  label={text.app}
                  className="w-64 max-w-full"
                  value={app.id}
                  onChange={({ target }) => onApp(target.value)}
                  options={apps.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
                />
              )}
              {leftOut.length > 0 && <p>{text.leftOut(leftOut.map(visibleText).join(', '))}</p>}
              <CodeBlock label={text.preview} code={JSON.stringify(answer, null, 2)} copy />
            </div>
          );
        }}
      </QueryPanel>
    </Panel>
  );
}
