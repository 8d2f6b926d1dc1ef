import type { ComponentProps } from 'react';

export function Button({ variant, ...properties }: ComponentProps<'button'> & { variant?: 'default' | 'outline' }) {
  return <button data-variant={variant} {...properties} />;
}
