import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { type ComponentPropsWithRef, type MouseEvent } from 'react';

type AppLinkProps = ComponentPropsWithRef<'a'> & { href: string };

/** A link within the application, by its address: no reload, everything else as the browser does it. */
export function AppLink({ onClick, target, ...props }: AppLinkProps) {
  const router = useRouter({ warn: false }) as { history: RouterHistory } | undefined;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain || target || !router) return;
    event.preventDefault();
    router.history.push(props.href);
  };
  return <a {...props} target={target} onClick={follow} />;
}
