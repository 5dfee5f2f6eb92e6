import { useOrganization } from '../api/organization.js';
import { DataText } from '../ui/data-text.js';

/** The name of the organization whose page this is. */
export default function OrganizationName() {
  return <DataText>{useOrganization()?.name ?? ''}</DataText>;
}
