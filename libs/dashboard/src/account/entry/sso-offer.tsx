import { Button } from '../../ui/button.js';
import { buttonClass } from '../../ui/button-class.js';

interface SsoOfferProps {
  /** URL that starts the sign-in. */
  url: string;
  /** Null if the organization does not accept passwords for this address. */
  onPassword: (() => void) | null;
}

/** Replaces the password field with a link to the address's identity provider. */
export default function SsoOffer({ url, onPassword }: SsoOfferProps) {
  return (
    <>
      <p role="status">
        {onPassword === null
          ? 'Your organization requires single sign-on.'
          : 'Your organization signs in with single sign-on.'}
      </p>
      <a href={url} className={`${buttonClass({ variant: 'primary' })} w-full`}>
        Continue with single sign-on
      </a>
      {onPassword !== null && (
        <Button variant="ghost" onClick={onPassword} className="self-start">
          Use a password
        </Button>
      )}
    </>
  );
}
