import { useRouter } from '@tanstack/react-router';
import { type ComponentPropsWithRef, type MouseEvent } from 'react';

type AppLinkProps = ComponentPropsWithRef<'a'> & { href: string };

/** A link within the application that does not reload the page. Otherwise it behaves like any link. */
export function AppLink({ onClick, target, ...props }: AppLinkProps) {
  const router = useRouter({ warn: false }) as
    { navigate: (to: { href: string }) => Promise<void> } | undefined;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain || target || !router) return;
    event.preventDefault();
    // Uses the router instead of the history, because it keeps search parameters that all pages share.
    void router.navigate({ href: props.href });
  };
  return <a {...props} target={target} onClick={follow} />;
}
