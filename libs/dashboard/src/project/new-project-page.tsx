import { Page } from '../frame/page.js';

export default function NewProjectPage() {
  return <Page title="New project">{null}</Page>;
}
