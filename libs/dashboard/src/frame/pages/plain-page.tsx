import { type ReactNode, useEffect, useRef } from 'react';
import { usePageFocus } from './page-focus.js';

/** A page outside the frame with one narrow card, for sign-in and the like. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  const page = useRef<HTMLElement>(null);
  usePageFocus(page);
  useEffect(() => {
    document.title = `${title} · Tenure`;
  }, [title]);
  return (
    <main
      ref={page}
      className="mx-auto flex min-h-screen w-full max-w-md flex-col justify-center gap-6 px-4 py-10"
    >
      <p className="text-lg font-semibold">Tenure</p>
      <div className="flex flex-col gap-5 rounded-md border border-line bg-panel p-6">
        <h1 tabIndex={-1} className="text-xl font-semibold">
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
