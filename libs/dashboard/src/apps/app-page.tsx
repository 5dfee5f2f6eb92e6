import { Page } from '../frame/page.js';

export default function AppPage() {
  return <Page title="App">{null}</Page>;
}
