import { Badge } from '../../../ui/badge.js';
import type { Paywall } from '../paywall.types.js';

interface PaywallProps {
  paywall: Paywall;
}

/** Whether apps show the paywall, and whether there are changes that they do not show. */
export function PaywallStatus({ paywall: { published_at: publishedAt, has_draft: hasDraft } }: PaywallProps) {
  if (publishedAt === null) return <Badge>Draft</Badge>;
  return <Badge tone="good">{hasDraft ? 'Published, draft changes' : 'Published'}</Badge>;
}

/** The number of problems, if there are any. */
export function PaywallProblems({ paywall: { problems = [] } }: PaywallProps) {
  if (problems.length === 0) return null;
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return (
    <Badge tone={hasErrors ? 'bad' : 'warn'}>
      {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
    </Badge>
  );
}
