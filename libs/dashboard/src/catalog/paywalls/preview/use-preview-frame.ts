import { useEffect, useRef, useState } from 'react';
import { type PreviewContent, reportOf } from './preview-content.js';

/** Milliseconds after which a frame that does not report has failed. */
const PATIENCE_MS = 10_000;

/** Sends the content to the frame whenever it changes. Reads nothing but the two reports of the frame's own window. */
export function usePreviewFrame(content: PreviewContent) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const report = reportOf(data);
      if (report === null) return;
      if ('ready' in report) setIsReady(true);
      setError('error' in report ? report.error : null);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, []);
  useEffect(() => {
    // The frame's origin is opaque, so no other target can be named.
    if (isReady) frame.current?.contentWindow?.postMessage(content, '*');
  }, [isReady, content]);
  useEffect(() => {
    if (isReady) return;
    const timer = setTimeout(() => setError('The preview did not load. Reload the page.'), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
  return { frame, isReady, error };
}
