import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useCustomer } from '../customer-context.js';
import { type RedemptionLink, useResendLink, useRevokeLink } from './links.queries.js';

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
        aria-label={`Send a new link in place of ${link.id}`}
        busy={resend.isPending}
        disabledReason={mayResend.reason}
        onClick={() =>
          resend.mutate(link.id, {
            onSuccess: () => toast({ title: 'A new link is on its way', tone: 'good' }),
            onError: failed,
          })
        }
      >
        Send a new link
      </Button>
      <Button
        size="sm"
        variant="danger"
        aria-label={`Revoke ${link.id}`}
        disabledReason={mayRevoke.reason}
        onClick={() => setIsAsking(true)}
      >
        Revoke
      </Button>
      {isAsking && (
        <ConfirmCall
          danger
          title="Revoke the link?"
          effect="It stops working at once. Its page then says that it is not valid."
          confirmLabel="Revoke"
          write={revoke}
          input={link.id}
          done="Link revoked"
          call={{
            operation: 'POST /v2/projects/{project_id}/redemption_links/{link_id}/actions/revoke',
            path: { project_id: projectId, link_id: link.id },
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </span>
  );
}
