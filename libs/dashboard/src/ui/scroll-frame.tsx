import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from './cx.js';

interface ScrollFrameProps {
  /** Names the region, which the keyboard can reach and scroll. */
  label: string;
  className?: string;
  children: ReactNode;
}

/**
 * A frame in which a wide table scrolls. A shadow at its end shows that there are more columns. The frame is positioned,
 * so that texts for screen readers, which are absolute, stay inside it and do not widen the page.
 */
export function ScrollFrame({ label, className, children }: ScrollFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () =>
      setHasMore(element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft) > 1);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return (
    <div className="relative min-w-0">
      <div
        ref={frame}
        role="region"
        aria-label={label}
        tabIndex={0}
        className={cx('relative overflow-auto', className)}
      >
        {children}
      </div>
      <div aria-hidden="true" className={cx('ui-more', !hasMore && 'hidden')} />
    </div>
  );
}
