'use client';

import { useEffect } from 'react';

/** Says that links are the router's now. */
export function Ready() {
  useEffect(() => {
    document.documentElement.dataset.ready = '';
  }, []);
  return null;
}
