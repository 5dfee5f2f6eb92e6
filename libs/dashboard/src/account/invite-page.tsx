import { PlainPage } from '../frame/plain-page.js';

export default function InvitePage() {
  return <PlainPage title="Invitation">{null}</PlainPage>;
}
