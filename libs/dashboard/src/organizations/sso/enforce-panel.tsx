import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization } from '../../api/organization.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Panel } from '../../ui/panel.js';
import { allMembersQuery } from '../members/members.queries.js';
import { useUpdateOrganization } from '../organizations.queries.js';
import { affectedBy } from './affected-by.js';
import { domainsQuery } from './sso.queries.js';

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
      description="People of verified domains can then sign in no other way."
      actions={
        <Button
          variant={isEnforced ? undefined : 'primary'}
          disabledReason={isEnforced || isProven ? null : 'Needs an active connection and a verified domain.'}
          onClick={() => setIsOpen(true)}
        >
          {isEnforced ? 'Allow passwords again' : 'Require single sign-on'}
        </Button>
      }
    >
      <Badge tone={isEnforced ? 'good' : 'neutral'}>
        {isEnforced ? 'Single sign-on is required' : 'Single sign-on is not required'}
      </Badge>
      {!isEnforced && (
        <p className="mt-2 text-sm text-muted">Needs an active connection and a verified domain.</p>
      )}
      {isOpen && (
        <ConfirmCall
          danger={!isEnforced}
          title={isEnforced ? 'Allow passwords again?' : 'Require single sign-on?'}
          effect={
            isEnforced ? (
              <p>People of verified domains can sign in with a password again, if they have one.</p>
            ) : (
              <>
                <p>
                  Sessions started with a password lose access to the organization and its projects at once.{' '}
                  {organization?.your_role !== 'owner' && 'So does yours, unless you used single sign-on.'}
                </p>
                {affected && (
                  <>
                    <p>
                      {affected.required === 1
                        ? '1 member must sign in with single sign-on from now on.'
                        : `${affected.required} members must sign in with single sign-on from now on.`}
                    </p>
                    <p>{`${affected.elsewhere === 1 ? '1 member on another domain keeps' : `${affected.elsewhere} members on other domains keep`} passwords; owners (${affected.owners}) keep passwords.`}</p>
                  </>
                )}
              </>
            )
          }
          confirmLabel={isEnforced ? 'Allow passwords again' : 'Require single sign-on'}
          write={update}
          input={{ sso_enforced: !isEnforced }}
          call={{
            operation: 'POST /v2/organizations/{org_id}',
            path: { org_id: orgId },
            body: { sso_enforced: !isEnforced },
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
