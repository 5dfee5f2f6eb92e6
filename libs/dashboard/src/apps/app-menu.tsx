import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '../api/client.js';
import { useMay } from '../api/permissions.js';
import { download } from '../ui/format/download.js';
import { Menu } from '../ui/overlays/menu.js';
import { useToast } from '../ui/overlays/toast.js';
import type { App } from './apps.queries.js';
import { DeleteAppDialog } from './delete-app-dialog.js';
import { RenameAppDialog } from './rename-app-dialog.js';

/** Actions on an app as a whole. */
export function AppMenu({ projectId, app }: { projectId: string; app: App }) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const mayUpdate = useMay('updateApp');
  const mayDelete = useMay('deleteApp');
  const mayExtend = useMay('massExtendSubscriptions');
  const navigate = useNavigate();
  const toast = useToast();
  const isApple = app.type === 'app_store' || app.type === 'mac_app_store';
  const close = () => setOpen(null);
  const path = { project_id: projectId, app_id: app.id };
  const downloadStoreKit = () =>
    call(api.GET('/v2/projects/{project_id}/apps/{app_id}/store_kit_config', { params: { path } })).then(
      ({ contents }) => download(`${app.id}.storekit`, JSON.stringify(contents, null, 2), 'application/json'),
      (error: Error) =>
        toast({
          tone: 'bad',
          title: 'The StoreKit configuration could not be created',
          description: error.message,
        }),
    );
  return (
    <>
      <Menu
        label="Actions"
        items={[
          {
            label: 'Rename',
            icon: 'edit',
            disabledReason: mayUpdate.reason,
            onSelect: () => setOpen('rename'),
          },
          ...(isApple
            ? [
                {
                  label: 'Extend subscriptions',
                  icon: 'gift' as const,
                  disabledReason: mayExtend.reason,
                  onSelect: () =>
                    void navigate({
                      to: '/projects/$projectId/apps/$appId/extend',
                      params: { projectId, appId: app.id },
                    }),
                },
                {
                  label: 'StoreKit configuration',
                  icon: 'download' as const,
                  onSelect: () => void downloadStoreKit(),
                },
              ]
            : []),
          {
            label: 'Delete app',
            icon: 'trash',
            danger: true,
            separator: true,
            disabledReason: mayDelete.reason,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'rename' && <RenameAppDialog projectId={projectId} app={app} onClose={close} />}
      {open === 'delete' && <DeleteAppDialog projectId={projectId} app={app} onClose={close} />}
    </>
  );
}
