import { type Answer, savedReasonOf } from '../runtime/answers';
import type { Columns } from './csv';
import type { Comment } from './dto/comments.dto';
import type { ExportedSession } from './dto/sessions.dto';

export const SESSION_COLUMNS: Columns<ExportedSession> = {
  id: ({ id }) => id,
  flow_id: ({ flow_id }) => flow_id,
  flow_version: ({ flow_version }) => flow_version,
  status: ({ status_now }) => status_now,
  reason: ({ status_now, accepted_offer }) => (status_now === 'saved' ? savedReasonOf(accepted_offer) : null),
  customer_id: ({ customer_id }) => customer_id,
  customer_verified: ({ customer_verified }) => customer_verified,
  email: ({ customer }) => customer?.email,
  attributes: ({ customer }) => customer?.attributes && JSON.stringify(customer.attributes),
  answers: ({ answers }) => answers.map(shortly).join('; '),
  accepted_offer_id: ({ accepted_offer }) => accepted_offer?.id,
  accepted_offer_name: ({ accepted_offer }) => accepted_offer?.name,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
};

export const COMMENT_COLUMNS: Columns<Comment> = {
  flow_session_id: ({ flow_session_id }) => flow_session_id,
  flow_id: ({ flow_id }) => flow_id,
  flow_version: ({ flow_version }) => flow_version,
  status: ({ status_now }) => status_now,
  customer_id: ({ customer_id }) => customer_id,
  node_key: ({ node_key }) => node_key,
  option: ({ option }) => option,
  label: ({ label }) => label,
  comment: ({ comment }) => comment,
  created_at: ({ created_at }) => created_at,
};

function shortly({ node_key, option }: Answer): string {
  return `${node_key}: ${option}`;
}

const SESSION = {
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_version: 1,
  status_now: 'canceled',
  customer_id: 'cus_4711',
} as const;
const ANSWER = { node_key: 'reason', option: 'too_expensive', label: 'Too expensive', comment: 'Twice the price.' };

export const EXAMPLE_SESSION: ExportedSession = {
  ...SESSION,
  id: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f',
  customer_verified: true,
  customer: { email: 'ada@example.com', attributes: { plan: 'pro' } },
  answers: [ANSWER],
  accepted_offer: null,
  created_at: new Date('2026-11-21T09:30:00.000Z'),
  updated_at: new Date('2026-11-21T09:31:00.000Z'),
};

export const EXAMPLE_COMMENT: Comment = {
  ...SESSION,
  ...ANSWER,
  flow_session_id: EXAMPLE_SESSION.id,
  position: 1,
  created_at: new Date('2026-11-21T09:31:00.000Z'),
};
