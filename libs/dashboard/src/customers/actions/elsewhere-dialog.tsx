import { storeName } from '../../api/words.js';
import { AppLink } from '../../ui/app-link.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { ExternalLink } from '../../ui/text/external-link.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import { placeOf } from './store-abilities.js';

interface ElsewhereDialogProps {
  title: string;
  store: string;
  managementUrl: string | null;
  onClose: () => void;
}

/** Links to the place where an action is possible that the store does not offer to this server. */
export function ElsewhereDialog({ title, store, managementUrl, onClose }: ElsewhereDialogProps) {
  const { projectId } = useCustomer();
  return (
    <Dialog
      open
      size="sm"
      title={visibleText(title)}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p>
        {storeName(store)}: {placeOf(store)}
      </p>
      {store === 'test_store' && (
        <p className="mt-3">
          <AppLink href={`/projects/${projectId}/test/purchases`}>Make a test purchase</AppLink>
        </p>
      )}
      {managementUrl !== null && (
        <p className="mt-3">
          <ExternalLink href={managementUrl}>Manage at the store</ExternalLink>
        </p>
      )}
    </Dialog>
  );
}
