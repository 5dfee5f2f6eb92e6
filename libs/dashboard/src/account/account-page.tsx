import { Page } from '../frame/page.js';

export default function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
