import type { Declaration } from '../../exit/declaration.entity';
import { dueAt } from '../../exit/due';
import type { Columns } from './csv';

export const DECLARATION_COLUMNS: Columns<Declaration> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  flow_id: ({ flow_id }) => flow_id,
  flow_version: ({ flow_version }) => flow_version,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  email: ({ email }) => email,
  contract: ({ contract }) => contract,
  termination: ({ termination }) => termination,
  reason: ({ reason }) => reason,
  when: ({ when }) => when,
  language: ({ language }) => language,
  due_at: (declaration) => dueAt(declaration),
  declared_at: ({ created_at }) => created_at,
  erased_at: ({ erased_at }) => erased_at,
  done_at: ({ done_at }) => done_at,
  confirmed_at: ({ confirmed_at }) => confirmed_at,
};

export const EXAMPLE_DECLARATION: Declaration = {
  workspace_id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  id: '019a9f3c-d5e6-7f80-9a1b-2c3d4e5f6071',
  number: '7KQ4-M2XW-9TFA',
  receipt_key: '0b9d7c1e-5a3f-4c2d-9e8b-7a6f5e4d3c2b',
  confirmation_key: '4a1c7e0b-6d2f-4b8e-8c3d-5f7a9b1c2d3e',
  event_id: '019a9f3c-d5e6-7f80-9a1b-2c3d4e5f6072',
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_version: 1,
  kind: 'termination',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  contract: 'Customer 4711',
  termination: 'ordinary',
  reason: null,
  when: '2026-12-31',
  language: 'en',
  shown: null,
  team_email: 'contracts@acme.example',
  content_hash: Buffer.alloc(32),
  confirmed_at: null,
  done_at: null,
  erased_at: null,
  created_at: new Date('2026-11-21T09:31:00.000Z'),
};
