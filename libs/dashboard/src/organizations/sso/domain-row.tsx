import { useEffect, useEffectEvent } from 'react';
import type { SsoDomain } from '../../api/enterprise.types.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { CopyValue } from './copy-value.js';
import { useVerifyDomain } from './sso.queries.js';

const ssoErrors = {
  no_record: 'There is no TXT record of that name. New records can take an hour to become visible.',
  wrong_value: 'There is a TXT record of that name, but with another value.',
  dns_error: 'The name servers did not answer.',
} satisfies Record<NonNullable<SsoDomain['last_error']>, string>;

const EVERY_30_S = 30_000;

interface DomainRowProps {
  orgId: string;
  domain: SsoDomain;
  onRemove: () => void;
}

/** A domain. Until it is verified, shows the record to add, and polls for it while the page is open. */
export function DomainRow({ orgId, domain: { domain, verified, ...facts }, onRemove }: DomainRowProps) {
  const verify = useVerifyDomain(orgId);
  const toast = useToast();
  const check = () =>
    verify.mutate(domain, {
      onSuccess: (answer) => {
        if (answer.verified) toast({ title: `${visibleText(domain)} is verified`, tone: 'good' });
      },
    });
  const recheck = useEffectEvent(() => {
    if (!verify.isPending && !document.hidden) check();
  });
  useEffect(() => {
    if (verified) return;
    const timer = setInterval(() => recheck(), EVERY_30_S);
    return () => clearInterval(timer);
  }, [verified]);
  const found = verify.data?.found.txt ?? [];
  return (
    <li className="grid grid-cols-1 gap-3 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium wrap-anywhere">
          <DataText>{domain}</DataText>
        </span>
        <Badge tone={verified ? 'good' : 'warn'}>{verified ? 'Verified' : 'Not verified'}</Badge>
        <span className="ms-auto flex gap-1.5">
          {!verified && (
            <Button
              size="sm"
              icon="refresh"
              busy={verify.isPending}
              aria-label={`Check now: ${visibleText(domain)}`}
              onClick={check}
            >
              Check now
            </Button>
          )}
          <IconButton size="sm" icon="trash" label={`Remove ${domain}`} onClick={onRemove} />
        </span>
      </div>
      {!verified && (
        <>
          <p>Add this record where the DNS of the domain is managed:</p>
          <KeyValues
            items={[
              ['Type', facts.txt_record.type],
              ['Name', <CopyValue key="name" label="Name" value={facts.txt_record.name} />],
              ['Value', <CopyValue key="value" label="Value" value={facts.txt_record.value} />],
              ['Last checked', <Time key="checked" ms={facts.last_checked_at} />],
              ...(found.length > 0
                ? ([
                    [
                      'Found',
                      found.map((record, index) => (
                        <div key={index} className="wrap-anywhere">
                          <DataText mono>{record}</DataText>
                        </div>
                      )),
                    ],
                  ] as const)
                : []),
            ]}
          />
          <p role="status" className="text-sm text-muted">
            {facts.last_error !== null && `${ssoErrors[facts.last_error]} `}
            Checked every 30 seconds while this page is open.
          </p>
        </>
      )}
      <FormError error={verify.error?.message} />
    </li>
  );
}
