import { getRouteApi } from '@tanstack/react-router';
import { CustomerView } from './customer-view.js';
import { NoSuchCustomer } from './no-such-customer.js';

const route = getRouteApi('/signed-in/projects/$projectId/customer');

/** Browsers normalize these in URLs, so no customer can have such an id. */
const isAddressable = (id: string) => !['.', '..'].includes(id) && !id.includes('/');

/** One customer, by any of their ids. */
export default function CustomerPage() {
  const { projectId } = route.useParams();
  const { id = '' } = route.useSearch();
  if (id === '' || !isAddressable(id)) return <NoSuchCustomer projectId={projectId} id={id} />;
  return <CustomerView key={`${projectId} ${id}`} projectId={projectId} id={id} />;
}
