import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization } from '../../api/organization.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Panel } from '../../ui/panel.js';
import { allMembersQuery } from '../members/members.queries.js';
import { useUpdateOrganization } from '../organizations.queries.js';
import { affectedBy } from './affected-by.js';
import { domainsQuery } from './sso.queries.js';
import { text } from './sso.text.js';

/** Requires single sign-on for people on verified domains, and shows beforehand who is affected. */
export function EnforcePanel({ orgId, title }: { orgId: string; title: string }) {
  const organization = useOrganization();
  const update = useUpdateOrganization(orgId);
  const [isOpen, setIsOpen] = useState(false);
  const { data: members } = useQuery({ ...allMembersQuery(orgId), enabled: isOpen });
  const { data: domains } = useQuery(domainsQuery(orgId));
  const isEnforced = organization?.sso_enforced ?? false;
  // The server checks that a connection is enabled, because there may be many.
  const isProven = domains?.some(({ verified }) => verified) ?? true;
  const affected = members && domains && affectedBy(members, domains);
  const close = () => {
    setIsOpen(false);
    update.reset();
  };
  return (
    <Panel
      title={title}
      description={text.enforceNote}
      actions={
        <Button
          variant={isEnforced ? undefined : 'primary'}
          disabledReason={isEnforced || isProven ? null : text.needs}
          onClick={() => setIsOpen(true)}
        >
          {isEnforced ? text.stopEnforcing : text.enforce}
        </Button>
      }
    >
      <Badge tone={isEnforced ? 'good' : 'neutral'}>{isEnforced ? text.isEnforced : text.notEnforced}</Badge>
      {!isEnforced && <p className="mt-2 text-sm text-muted">{text.needs}</p>}
      <ConfirmDialog
        open={isOpen}
        danger={!isEnforced}
        title={isEnforced ? text.stopTitle : text.enforceTitle}
        confirmLabel={isEnforced ? text.stopEnforcing : text.enforce}
        busy={update.isPending}
        error={update.error?.message}
        onClose={close}
        onConfirm={() => update.mutate({ sso_enforced: !isEnforced }, { onSuccess: close })}
      >
        <div className="grid grid-cols-1 gap-3">
          {isEnforced ? (
            <p>{text.stopEffect}</p>
          ) : (
            <>
              <p>
                {text.enforceEffect} {organization?.your_role !== 'owner' && text.enforceSelf}
              </p>
              {affected && (
                <>
                  <p>{text.affected(affected.required)}</p>
                  <p>{text.exempt(affected.elsewhere, affected.owners)}</p>
                </>
              )}
            </>
          )}
          <ShowCall
            operation="POST /v2/organizations/{org_id}"
            path={{ org_id: orgId }}
            body={{ sso_enforced: !isEnforced }}
          />
        </div>
      </ConfirmDialog>
    </Panel>
  );
}
