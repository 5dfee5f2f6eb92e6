import { Page } from '../frame/page.js';

export default function SetupPage() {
  return <Page title="Set-up">{null}</Page>;
}
