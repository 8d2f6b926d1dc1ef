import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Problem } from '../../src/platform/api/problems/problem';
import { CommentsService } from '../../src/records/comments.service';
import { SessionsService } from '../../src/records/sessions.service';
import { Service, Tenant } from '../support/service';
import { beginSession } from './begin-session';
import { readCsv } from './read-csv';

const PUBLIC = '/api/v1/public';

describe('A file for spreadsheets', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
    const offer = await acme.offer({ name: '=1+1' });
    flow = await acme.publishedFlow({ offer_ids: [offer.id] });
  });

  const begin = (customer?: object) => beginSession(service, acme, flow.slug, customer);

  async function answer(take: (body: object) => Promise<unknown>, comment?: string): Promise<void> {
    await take({ node_key: 'start', action: 'continue' });
    await take({ node_key: 'reason', action: 'answer', option: 'other', comment });
  }

  /** Copies a session to older ones, so that there are many. */
  const copy = ({ id }: { id: string }, times: number) =>
    service.database.query(
      `INSERT INTO flow_sessions SELECT (jsonb_populate_record(session, jsonb_build_object('id', lpad(n::text, 8, '0') || right(id::text, 28),
          'session_id', gen_random_uuid()))).* FROM flow_sessions session, generate_series(1, $2) AS n WHERE id = $1`,
      [id, times],
    );

  /** The rows of a file, by a reader of RFC 4180. */
  async function rowsOf(path: string): Promise<string[][]> {
    const { status, headers, body } = await acme.client.get(`${PUBLIC}/${path}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    return readCsv(body as string);
  }

  it('has any other text as it was written', async () => {
    const text = 'Say "no",\r\nthen\n\rgo; 🙂 \u2028 = it';
    await answer((await begin({ id: 'cus_1' })).take, text);
    const [head, row] = await rowsOf('comments.csv');
    expect(head.join()).toBe(
      'flow_session_id,flow_id,flow_name,flow_version,status,customer_id,node_key,option,label,comment,created_at,own_label,labels',
    );
    expect(row[head.indexOf('comment')]).toBe(text);
  });

  it('takes the filters of its list, and no others', async () => {
    const one = await begin({ id: 'cus_1' });
    const other = await begin();
    await answer(other.take, 'Hm.');
    await other.take({ action: 'cancel' });
    const ids = async (path: string) => (await rowsOf(path)).slice(1).map(([id]) => id);
    expect(await ids('sessions.csv?customer_id=cus_1')).toEqual([one.id]);
    expect(await ids(`sessions.csv?status=canceled&flow_id=${flow.id}&from=2026-01-01`)).toEqual([other.id]);
    expect(await ids('sessions.csv?to=2026-01-01')).toEqual([]);
    expect(await ids('comments.csv?option=other')).toEqual([other.id]);
    expect(await ids('comments.csv?option=none')).toEqual([]);
    for (const query of ['limit=5', 'cursor=x', 'status=x', 'updated_since=2026-01-01']) {
      const { status, headers, body } = await acme.client.get(`${PUBLIC}/sessions.csv?${query}`);
      expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8']);
      expect(body.errors[0].parameter).toBe(query.split('=')[0]);
    }
  });

  it('is a download for keys that may read, and nothing for anybody else', async () => {
    const { headers } = await acme.client.get(`${PUBLIC}/comments.csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="comments.csv"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    const { key } = (await acme.client.post(`${PUBLIC}/api-keys`, { name: 'Reader', access: 'read' })).body;
    expect((await acme.client.with(key).get(`${PUBLIC}/sessions.csv`)).status).toBe(200);
    expect((await service.client.get(`${PUBLIC}/sessions.csv`)).status).toBe(401);
    await begin();
    const other = await service.workspace();
    expect(readCsv((await other.client.get(`${PUBLIC}/sessions.csv`)).body as string)).toHaveLength(1);
  });

  it('has each session once that there was, over several pages, and none that begin meanwhile', async () => {
    const first = await begin();
    await copy(first, 1500);
    const response = await open('sessions.csv');
    await begin();
    const rows = readCsv(await textOf(response));
    expect(rows).toHaveLength(1 + 1501);
    expect(new Set(rows.map(([id]) => id)).size).toBe(1502);
  });

  it('is broken off when a later page cannot be read, so that it does not look whole', async () => {
    await copy(await begin(), 1500);
    const failing = jest.spyOn(SessionsService.prototype as never, 'stepsOf' as never);
    try {
      failing.mockResolvedValueOnce(new Map() as never).mockRejectedValue(new Error('gone') as never);
      const response = await open('sessions.csv');
      expect(response.statusCode).toBe(200);
      await expect(textOf(response)).rejects.toThrow('aborted');
    } finally {
      failing.mockRestore();
    }
  });

  it('waits while the service is too busy for a later page, and is whole', async () => {
    const first = await begin();
    await copy(first, 1500);
    const pages = jest.spyOn(SessionsService.prototype as never, 'stepsOf' as never);
    try {
      pages
        .mockResolvedValueOnce(new Map() as never)
        .mockRejectedValueOnce(new Problem('service_unavailable') as never);
      const rows = await rowsOf('sessions.csv');
      expect(new Set(rows.map(([id]) => id)).size).toBe(1 + 1501);
      expect(rows).toHaveLength(1 + 1501);
      expect(pages).toHaveBeenCalledTimes(17);
    } finally {
      pages.mockRestore();
    }
  });

  it('is an ordinary error when the first page cannot be read', async () => {
    const failing = jest.spyOn(CommentsService.prototype, 'list').mockRejectedValue(new Error('gone'));
    try {
      const { status, body } = await acme.client.get(`${PUBLIC}/comments.csv`);
      expect([status, body.code]).toEqual([500, 'internal_error']);
    } finally {
      failing.mockRestore();
    }
  });

  it('is read no further than its reader, and no further when the reader is gone', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [n, 'x'.repeat(1000)]));
    await copy(await begin({ id: 'cus_1', attributes }), 5000);
    const pages = jest.spyOn(SessionsService.prototype as never, 'stepsOf' as never);
    try {
      const response = await open('sessions.csv');
      // Until the socket takes no more, the pages are read.
      let read = -1;
      while (read < pages.mock.calls.length) {
        read = pages.mock.calls.length;
        for (let n = 0; n < 20; n++) await acme.client.get(`${PUBLIC}/workspace`);
      }
      // A page has 64 KB.
      expect(read).toBeLessThan(100);
      response.destroy();
      for (let n = 0; n < 50; n++) await acme.client.get(`${PUBLIC}/workspace`);
      expect(pages.mock.calls.length).toBeLessThanOrEqual(read + 1);
    } finally {
      pages.mockRestore();
    }
  });

  it('has headers only under HEAD, and reads one page for them', async () => {
    await copy(await begin(), 1500);
    const pages = jest.spyOn(SessionsService.prototype as never, 'stepsOf' as never);
    try {
      const response = await fetch(`${service.client.baseUrl}${PUBLIC}/sessions.csv`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${acme.key}` },
      });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(pages).toHaveBeenCalledTimes(1);
    } finally {
      pages.mockRestore();
    }
  });

  /** A response that nobody reads yet. */
  async function open(path: string): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${acme.key}` };
    const [response] = (await once(get(`${service.client.baseUrl}${PUBLIC}/${path}`, { headers }), 'response')) as [
      IncomingMessage,
    ];
    return response;
  }
});

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: string[] = [];
  for await (const part of response.setEncoding('utf8')) parts.push(part as string);
  return parts.join('');
}
