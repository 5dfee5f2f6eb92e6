import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { FormError } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { DomainRow } from './domain-row.js';
import { domainsQuery, useAddDomain, useRemoveDomain } from './sso.queries.js';

function AddDomain({ orgId }: { orgId: string }) {
  const add = useAddDomain(orgId);
  const { formProps, field, problem, set } = useForm({
    initial: { domain: '' },
    check: ({ domain }) => ({ domain: domain.trim() === '' ? 'Enter a domain.' : null }),
    write: add,
    onSubmit: (body) => add.mutate(body, { onSuccess: () => set('domain', '') }),
  });
  return (
    <form {...formProps} className="flex max-w-xl flex-col gap-3">
      <div className="flex items-start gap-2 max-sm:flex-col">
        <TextField
          {...field('domain')}
          label="Domain"
          hint="For example example.com"
          autoComplete="off"
          autoCapitalize="off"
          className="grow max-sm:w-full"
        />
        <Button type="submit" icon="plus" busy={add.isPending} className="sm:mt-6.5">
          Add domain
        </Button>
      </div>
      <FormError error={problem} />
    </form>
  );
}

/** The organization's domains, each with the record that verifies it. */
export function DomainsPanel({ orgId, title }: { orgId: string; title: string }) {
  const query = domainsQuery(orgId);
  const domains = useQuery(query);
  const remove = useRemoveDomain(orgId);
  const [removing, setRemoving] = useState<string | null>(null);
  const close = () => {
    setRemoving(null);
    remove.reset();
  };
  return (
    <Panel
      title={title}
      description="Email domains that belong to the organization. Only verified domains count."
    >
      <div className="grid grid-cols-1 gap-4">
        <QueryPanel query={domains} queryKey={query.queryKey}>
          {(all) =>
            all.length === 0 ? (
              <p className="text-muted">Add the domain of your people’s email addresses.</p>
            ) : (
              <ul className="grid grid-cols-1 gap-3">
                {all.map((domain) => (
                  <DomainRow
                    key={domain.domain}
                    orgId={orgId}
                    domain={domain}
                    onRemove={() => setRemoving(domain.domain)}
                  />
                ))}
              </ul>
            )
          }
        </QueryPanel>
        {!domains.isPending && <AddDomain orgId={orgId} />}
      </div>
      {removing !== null && (
        <ConfirmCall
          danger
          title={`Remove ${visibleText(removing)}?`}
          effect="People with addresses of this domain can no longer use single sign-on."
          confirmLabel="Remove"
          write={remove}
          input={removing}
          done={`${visibleText(removing)} is removed`}
          call={{
            operation: 'DELETE /v2/organizations/{org_id}/sso/domains/{domain}',
            path: { org_id: orgId, domain: removing },
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
