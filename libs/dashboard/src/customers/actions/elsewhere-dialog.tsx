import { storeName } from '../../api/words.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { ExternalLink } from '../../ui/external-link.js';
import { visibleText } from '../../ui/visible-text.js';
import { text } from './actions.text.js';
import { placeOf } from './store-abilities.js';

interface ElsewhereDialogProps {
  title: string;
  store: string;
  managementUrl: string | null;
  onClose: () => void;
}

/** Where a thing is done that this server cannot ask the store for. */
export function ElsewhereDialog({ title, store, managementUrl, onClose }: ElsewhereDialogProps) {
  return (
    <Dialog
      open
      size="sm"
      title={visibleText(title)}
      onClose={onClose}
      footer={<Button onClick={onClose}>{text.close}</Button>}
    >
      <p>
        {storeName(store)}: {placeOf(store)}
      </p>
      {managementUrl !== null && (
        <p className="mt-3">
          <ExternalLink href={managementUrl}>{text.elsewhere.manage}</ExternalLink>
        </p>
      )}
    </Dialog>
  );
}
