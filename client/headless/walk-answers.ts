import type { Reply } from './walk-world.ts';

/** The bodies are the examples of the service's own interface. */
export const SESSION = '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b';
export const BRANDING = { primary_color: '#4f46e5', logo_url: 'https://acme.example/logo.svg' };
export const CANCEL_URL = 'https://acme.example/account/cancel';

export const START_NODE = {
  key: 'start',
  type: 'start',
  config: { title: 'Before you go', body: 'Tell us why you are leaving Acme Pro. It takes a minute.' },
} as const;

export const SURVEY_NODE = {
  key: 'reason',
  type: 'survey',
  config: {
    title: 'Why are you leaving?',
    comment: 'optional',
    options: [
      { value: 'too_expensive', label: 'Too expensive' },
      { value: 'other', label: 'Something else' },
    ],
  },
} as const;

export const ACCEPTED_OFFER = {
  id: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b',
  name: '30 % off for three months',
  offer_type: 'discount_percentage' as const,
  offer_value: '30%',
  offer_duration: '3 months',
  heading: 'Stay for 30 % less',
  body: 'Keep everything you have, for 30 % less over the next three months.',
};

export const OFFER_NODE = {
  key: 'offer_1',
  type: 'offer',
  config: { ...ACCEPTED_OFFER, cta_accept: 'Take 30 % off', cta_decline: 'No thanks' },
} as const;

export const CONFIRM_NODE = {
  key: 'confirm',
  type: 'confirm',
  config: { title: 'Cancel your subscription?' },
} as const;

/** The state of a session: at a node, or ended. */
export function stateAt(node: object | null, more: object = {}) {
  return { session_id: SESSION, status: 'in_progress', node, redirect_url: null, accepted_offer: null, ...more };
}

export const CLOSING = { title: 'Thank you for staying', body: 'Your discount is applied.' };
export const SAVED = stateAt(null, { status: 'saved', accepted_offer: ACCEPTED_OFFER, closing: CLOSING });
export const CONTACTED = { ...SAVED, status: 'contacted' };
export const KEPT = stateAt(null, { status: 'saved' });
export const CANCELED = stateAt(null, { status: 'canceled', redirect_url: CANCEL_URL });

export function started(session_id = SESSION): Reply {
  return {
    status: 201,
    body: { session_id, flow: { name: 'Leaving Acme Pro', branding: BRANDING, entry_node: START_NODE } },
  };
}

export function state(body: object): Reply {
  return { status: 200, body };
}

export function problem(status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Reply {
  const detail = 'One sentence for the developer.';
  const request_id = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';
  return { status, body: { type: 'about:blank', title: 'Error', status, detail, code, request_id, ...more }, headers };
}

export const BUSY = problem(503, 'service_unavailable', {}, { 'retry-after': '1' });
export const GONE = problem(404, 'session_not_found');
export const FAILS: Reply = { network: 'fails' };
export const HANGS: Reply = { network: 'hangs' };
/** What a proxy sends when the service behind it is gone. */
export const BAD_GATEWAY: Reply = { status: 502, body: '<html>Bad gateway</html>' };
/** A page of a hotel's network, in place of the answer. */
export const RUBBISH: Reply = { status: 200, body: '<html>Welcome to our Wi-Fi</html>' };
