'use client';

import { useRef } from 'react';

export default function Element() {
  const flow = useRef(null);
  return (
    <main>
      <h1>Element</h1>
      <button onClick={() => flow.current.show()}>Leave</button>
      <retention-flow
        ref={flow}
        flow="leaving-acme-pro-7mzo5t5v"
        customer={{ id: 'cus_object' }}
        messages={{ keep: 'Stay with Acme' }}
      />
    </main>
  );
}
