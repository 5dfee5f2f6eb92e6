import { Link } from '@tanstack/react-router';
import { DataText } from '../ui/text/data-text.js';
import { useCustomer } from './customer-context.js';

/** Link to a customer by id; null means a deleted customer. */
export function CustomerLink({ id }: { id: string | null }) {
  const { projectId } = useCustomer();
  if (id === null) return <span className="text-muted">a deleted customer</span>;
  return (
    <Link to="/projects/$projectId/customer" params={{ projectId }} search={{ id }}>
      <DataText>{id}</DataText>
    </Link>
  );
}
