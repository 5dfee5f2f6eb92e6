import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatNumber } from '../ui/format/format-number.js';
import { FormError } from '../ui/forms/form.js';
import { preferenceLabels } from './labels.js';
import { type PreviewBody, usePreviewPolicies } from './preview.queries.js';

interface PolicyPreviewProps {
  projectId: string;
  /** Drafts in order of evaluation; undefined previews the saved policies. */
  policies?: PreviewBody['policies'];
}

/** Shows how policies would have decided about earlier requests. */
export function PolicyPreview({ projectId, policies }: PolicyPreviewProps) {
  const { locale } = useFormat();
  const may = useMay('previewRefundPolicies');
  const preview = usePreviewPolicies(projectId);
  // The result of earlier drafts would be taken for that of the current one.
  const isCurrent = JSON.stringify(preview.variables?.policies) === JSON.stringify(policies);
  const data = isCurrent ? preview.data : undefined;
  const count = (value: number) => formatNumber(locale, value);
  return (
    <div className="grid gap-2">
      <div>
        <Button
          size="sm"
          busy={preview.isPending}
          disabledReason={may.reason}
          onClick={() => preview.mutate(policies === undefined ? {} : { policies })}
        >
          Preview the last 90 days
        </Button>
      </div>
      <FormError error={isCurrent ? (preview.error?.message ?? null) : null} />
      {data && (
        <div role="status" className="grid gap-1">
          <p>{`${count(data.changed_requests)} of ${count(data.requests)} requests would be answered differently.`}</p>
          <ul className="text-sm text-muted">
            {data.by_preference.map(({ preference, requests }) => (
              <li key={preference}>{`${preferenceLabels[preference]}: ${count(requests)}`}</li>
            ))}
          </ul>
          {data.approximate > 0 && (
            <p className="text-sm text-muted">
              {`For ${count(data.approximate)} of them, an attribute was not recorded at the time.`}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
