import { Page } from '../frame/page.js';

export default function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
