import * as Radix from '@radix-ui/react-dialog';
import type { ComponentProps } from 'react';

export const Dialog = Radix.Root;
export const DialogTitle = Radix.Title;
export const DialogDescription = Radix.Description;

/** As a dialog of shadcn is, with the role and the attribute by which the tests find it. */
export function DialogContent({ children, ...properties }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Overlay style={{ position: 'fixed', inset: 0, background: '#0008' }} />
      <Radix.Content
        {...properties}
        style={{ position: 'fixed', inset: '10% 20% auto', padding: 24, background: '#fff' }}
      >
        {children}
        <Radix.Close>Close</Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  );
}
