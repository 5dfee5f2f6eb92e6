import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../ui/notice.js';
import { deliveredQuery } from '../deliveries/deliveries.queries.js';

/** Deliveries are counted up to this number. */
const COUNTED = 1_000;

interface RepeatWarningProps {
  projectId: string;
  destinationId: string;
  tool: string;
  range: { from: number; to: number };
  /** Empty: all. */
  types: readonly string[];
}

/** Warns that a tool counts every event that it gets. */
export function RepeatWarning({ projectId, destinationId, tool, range, types }: RepeatWarningProps) {
  const { data: count } = useQuery(deliveredQuery(projectId, destinationId, range, types));
  return (
    <Notice tone="warn">
      <p>
        {`${tool} counts every event it gets.`} {count !== undefined && repeated(count)}
      </p>
    </Notice>
  );
}

function repeated(count: number): string {
  if (count === 0) return 'No event of this period was delivered.';
  if (count === 1) return '1 event of this period was already delivered and would be counted twice.';
  const events = count < COUNTED ? count.toLocaleString() : `${COUNTED.toLocaleString()} or more`;
  return `${events} events of this period were already delivered and would be counted twice.`;
}
