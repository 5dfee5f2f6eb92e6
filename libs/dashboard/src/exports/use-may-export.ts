import { permissionsOf, useMay, useProject } from '../api/permissions.js';
import { missingRight } from '../api/permission-rules.js';

/** Why the person may not call an operation that moves customers out of the server; null if they may. */
export function useExportReason(operation: string): string | null {
  const { reason } = useMay(operation);
  const project = useProject();
  const missing = project && missingRight(permissionsOf(operation), project);
  return missing?.startsWith('customer_information:')
    ? 'You need permission to read customers to export them.'
    : reason;
}
