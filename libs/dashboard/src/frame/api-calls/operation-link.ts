import operations from 'virtual:operations';

export interface DocumentedOperation {
  id: string;
  /** Link to the API documentation. */
  href: string;
}

/** Returns the operation of a call such as `POST /v2/projects`; null if it is not documented. */
export function operationOf(call: string): DocumentedOperation | null {
  const known = operations[call];
  if (!known) return null;
  const [id, tag] = known;
  return { id, href: `/docs#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}` };
}
