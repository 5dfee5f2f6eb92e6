import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useCustomer } from '../customer-context.js';
import { type RedemptionLink, useResendLink, useRevokeLink } from './links.queries.js';
import { text } from './links.text.js';

/** Actions on a link that has been neither redeemed nor revoked. */
export function LinkActions({ link }: { link: RedemptionLink }) {
  const { projectId, id } = useCustomer();
  const resend = useResendLink(projectId, id);
  const revoke = useRevokeLink(projectId, id);
  const mayResend = useMay('resendRedemptionLink');
  const mayRevoke = useMay('revokeRedemptionLink');
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  if (link.status === 'redeemed' || link.status === 'revoked') return null;
  const failed = ({ message }: Error) => toast({ tone: 'bad', title: message });
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5">
      <Button
        size="sm"
        aria-label={text.resendNamed(link.id)}
        busy={resend.isPending}
        disabledReason={mayResend.reason}
        onClick={() =>
          resend.mutate(link.id, {
            onSuccess: () => toast({ title: text.resent, tone: 'good' }),
            onError: failed,
          })
        }
      >
        {text.resend}
      </Button>
      <Button
        size="sm"
        variant="danger"
        aria-label={text.revokeNamed(link.id)}
        disabledReason={mayRevoke.reason}
        onClick={() => setIsAsking(true)}
      >
        {text.revoke}
      </Button>
      <ConfirmDialog
        open={isAsking}
        danger
        title={text.revokeTitle}
        confirmLabel={text.revoke}
        busy={revoke.isPending}
        error={revoke.error?.message}
        onClose={() => setIsAsking(false)}
        onConfirm={() =>
          revoke.mutate(link.id, {
            onSuccess: () => {
              setIsAsking(false);
              toast({ title: text.revoked });
            },
          })
        }
      >
        {text.revokeEffect}
      </ConfirmDialog>
    </span>
  );
}
