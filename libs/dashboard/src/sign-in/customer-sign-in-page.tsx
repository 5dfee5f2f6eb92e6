import { Page } from '../frame/page.js';

export default function CustomerSignInPage() {
  return <Page title="Customer sign-in">{null}</Page>;
}
