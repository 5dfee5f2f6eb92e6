import { DeleteNoteDialog } from '../notes/delete-note-dialog.js';
import { NoteDialog } from '../notes/note-dialog.js';
import { useCustomer } from '../customer-context.js';
import type { CustomerAction } from './action.js';
import { BalanceDialog } from './balance-dialog.js';
import { BlockDialog } from './block-dialog.js';
import { CancelDialog } from './cancel-dialog.js';
import { DeleteDialog } from './delete-dialog.js';
import { ExtendDialog } from './extend-dialog.js';
import { GrantDialog } from './grant-dialog.js';
import { OfferingDialog } from './offering-dialog.js';
import { RefundDialog } from './refund-dialog.js';
import { RefundPurchaseDialog } from './refund-purchase-dialog.js';
import { RestoreDialog } from './restore-dialog.js';
import { RevokeDialog } from './revoke-dialog.js';
import { TransferDialog } from './transfer-dialog.js';
import { UnblockDialog } from './unblock-dialog.js';

interface ActionDialogsProps {
  action: CustomerAction;
  onClose: () => void;
}

/** The dialog of an action. Loaded when the first dialog opens. */
export default function ActionDialogs({ action, onClose }: ActionDialogsProps) {
  const { projectId, id, done } = useCustomer();
  switch (action.kind) {
    case 'grant':
      return <GrantDialog entitlementId={action.entitlementId} onClose={onClose} />;
    case 'revoke':
      return (
        <RevokeDialog entitlementId={action.entitlementId} lookupKey={action.lookupKey} onClose={onClose} />
      );
    case 'offering':
      return <OfferingDialog onClose={onClose} />;
    case 'transfer':
      return <TransferDialog onClose={onClose} />;
    case 'restore':
      return (
        <RestoreDialog
          projectId={projectId}
          customerId={id}
          onClose={onClose}
          onDone={() => done({ title: 'Purchase restored' })}
        />
      );
    case 'refund':
      return <RefundDialog subscription={action.subscription} onClose={onClose} />;
    case 'refund-purchase':
      return <RefundPurchaseDialog purchase={action.purchase} onClose={onClose} />;
    case 'cancel':
      return <CancelDialog subscription={action.subscription} onClose={onClose} />;
    case 'extend':
      return <ExtendDialog subscription={action.subscription} onClose={onClose} />;
    case 'balance':
      return <BalanceDialog code={action.code} onClose={onClose} />;
    case 'note':
      return <NoteDialog note={action.note} onClose={onClose} />;
    case 'delete-note':
      return <DeleteNoteDialog note={action.note} onClose={onClose} />;
    case 'block':
      return <BlockDialog onClose={onClose} />;
    case 'unblock':
      return <UnblockDialog onClose={onClose} />;
    case 'delete':
      return <DeleteDialog onClose={onClose} />;
  }
}
