import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { fragmentValue } from './fragment-value.js';

/**
 * Reads the value of `#<name>=` once and removes it from the address, so that it is not in the history either. Returns
 * null without one. A second link opened in the same tab replaces the first.
 */
export function useFragment(name: 'token' | 'setup'): string | null {
  const { hash } = useLocation();
  const found = fragmentValue(hash, name);
  const [value, setValue] = useState(found);
  if (found !== null && found !== value) setValue(found);
  useEffect(() => {
    if (found !== null) history.replaceState(history.state, '', location.pathname + location.search);
  }, [found]);
  return value;
}
