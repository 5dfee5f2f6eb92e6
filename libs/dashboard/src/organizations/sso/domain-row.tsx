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
import { text } from './sso.text.js';

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
        if (answer.verified) toast({ title: text.domainVerified(visibleText(domain)), tone: 'good' });
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
        <Badge tone={verified ? 'good' : 'warn'}>{verified ? text.verified : text.notVerified}</Badge>
        <span className="ms-auto flex gap-1.5">
          {!verified && (
            <Button
              size="sm"
              icon="refresh"
              busy={verify.isPending}
              aria-label={text.checkNamed(visibleText(domain))}
              onClick={check}
            >
              {text.check}
            </Button>
          )}
          <IconButton size="sm" icon="trash" label={text.removeDomain(domain)} onClick={onRemove} />
        </span>
      </div>
      {!verified && (
        <>
          <p>{text.record}</p>
          <KeyValues
            items={[
              [text.recordType, facts.txt_record.type],
              [
                text.recordName,
                <CopyValue key="name" label={text.recordName} value={facts.txt_record.name} />,
              ],
              [
                text.recordValue,
                <CopyValue key="value" label={text.recordValue} value={facts.txt_record.value} />,
              ],
              [text.lastChecked, <Time key="checked" ms={facts.last_checked_at} />],
              ...(found.length > 0
                ? ([
                    [
                      text.found,
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
            {facts.last_error !== null && `${text.errors[facts.last_error]} `}
            {text.recheck}
          </p>
        </>
      )}
      <FormError error={verify.error?.message} />
    </li>
  );
}
