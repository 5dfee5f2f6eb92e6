import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../../ui/badge.js';
import type { Paywall } from '../paywall.types.js';
import { paywallQuery } from '../paywalls.queries.js';

interface PaywallProps {
  paywall: Paywall;
}

/** The paywall with its content, which lists do not have. */
const useContent = ({ project_id: projectId, id }: Paywall) => useQuery(paywallQuery(projectId, id)).data;

/** Whether apps show the paywall, and whether there are changes that they do not show. */
export function PaywallStatus({ paywall }: PaywallProps) {
  const draft = useContent(paywall)?.components?.draft;
  if (paywall.published_at === null) return <Badge>Draft</Badge>;
  return <Badge tone="good">{draft ? 'Published, draft changes' : 'Published'}</Badge>;
}

/** The number of problems, if there are any. */
export function PaywallProblems({ paywall }: PaywallProps) {
  const problems = useContent(paywall)?.problems ?? [];
  if (problems.length === 0) return null;
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return (
    <Badge tone={hasErrors ? 'bad' : 'warn'}>
      {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
    </Badge>
  );
}
