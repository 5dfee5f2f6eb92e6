import { Link } from '@tanstack/react-router';
import { EmailLinkPage } from './entry/email-link-page.js';
import { useConfirmEmailChange } from './entry/entry.queries.js';

const changedText = (email: string) => `Your address is now ${email}.`;

export default function ChangeEmailPage() {
  return (
    <EmailLinkPage
      title="Change your email"
      sentence="Confirm that this is your new address. You will sign in with it from now on."
      done={changedText}
      useConfirm={useConfirmEmailChange}
      again={<Link to="/account">Change it in your account</Link>}
    />
  );
}
