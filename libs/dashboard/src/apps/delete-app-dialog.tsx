import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type App, appProductsQuery, useDeleteApp } from './apps.queries.js';

interface DeleteAppDialogProps {
  projectId: string;
  app: App;
  onClose: () => void;
}

/** Lists what is lost before it deletes. */
export function DeleteAppDialog({ projectId, app, onClose }: DeleteAppDialogProps) {
  const remove = useDeleteApp(projectId, app.id);
  const mayCount = useMay('listProducts').allowed;
  const { data } = useQuery({ ...appProductsQuery(projectId, app.id), enabled: mayCount });
  const products = data
    ? data.next_page !== null
      ? `more than ${data.items.length} products`
      : data.items.length === 1
        ? 'one product'
        : `${data.items.length} products`
    : 'its products';
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(app.name);
  const leave = async () => {
    await navigate({ to: '/projects/$projectId/apps', params: { projectId } });
    queries.removeQueries({ queryKey: [projectId, 'apps', app.id] });
    void queries.invalidateQueries({ queryKey: [projectId] });
  };
  return (
    <ConfirmCall
      danger
      title={`Delete ${name}?`}
      effect={`Deletes the app, its public key and ${products}. Purchases stay on record but no longer unlock anything, and the SDK in released apps is refused. This cannot be undone.`}
      confirmLabel="Delete app"
      typed={app.name}
      write={remove}
      input={undefined}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
      }}
      onClose={onClose}
      onDone={leave}
    />
  );
}
