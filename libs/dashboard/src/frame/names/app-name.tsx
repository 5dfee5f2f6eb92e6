import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../api/apps.queries.js';
import { useMay } from '../../api/permissions.js';
import { DataText } from '../../ui/text/data-text.js';
import { StoreIcon } from './store-icon.js';

interface AppNameProps {
  projectId: string;
  appId: string | null;
}

/** An app's name with the mark of its store; the id until the apps are loaded. */
export function AppName({ projectId, appId }: AppNameProps) {
  const mayApps = useMay('listApps').allowed;
  const { data: apps } = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  const app = apps?.find(({ id }) => id === appId);
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      {app && <StoreIcon store={app.type} />}
      <DataText truncate>{app?.name ?? appId}</DataText>
    </span>
  );
}
