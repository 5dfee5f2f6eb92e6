import { Page } from '../frame/page.js';

export default function AuditPage() {
  return <Page title="Audit log">{null}</Page>;
}
