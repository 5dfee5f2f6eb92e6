import { Link } from '@tanstack/react-router';
import { EmailLinkPage } from './entry/email-link-page.js';
import { useConfirmEmailChange } from './entry/entry.queries.js';
import { text } from './entry/entry.text.js';

export default function ChangeEmailPage() {
  return (
    <EmailLinkPage
      title={text.changeTitle}
      sentence={text.changeSentence}
      done={text.changed}
      useConfirm={useConfirmEmailChange}
      again={<Link to="/account">{text.changeAgain}</Link>}
    />
  );
}
