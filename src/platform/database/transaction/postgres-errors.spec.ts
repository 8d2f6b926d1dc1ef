import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { endsConnection, isOfServer, isRetryable, problemOfPostgres } from './postgres-errors';

const ofPostgres = (code: string, message = 'failed', fields: object = {}) =>
  Object.assign(new DatabaseError(message, 6, 'error'), { code, severity: 'ERROR', ...fields });
const ofSystem = (code: string) => Object.assign(new Error(`write ${code}`), { code });
const wrapped = (error: Error) => new QueryFailedError('SELECT', [], error);

describe('An error of the database', () => {
  it.each([
    ['Postgres shuts down', ofPostgres('57P01')],
    ['a lock was waited for too long', ofPostgres('55P03')],
    ['nobody listens', ofSystem('ECONNREFUSED')],
    // Five capitals, as a SQLSTATE might be.
    ['the connection broke as something was written', ofSystem('EPIPE')],
    ['the connection broke', new Error('Connection terminated unexpectedly')],
    ['the connection was broken before', new Error('Client has encountered a connection error and is not queryable')],
    ['no connection was made in time', new Error('timeout expired')],
    ['no connection was free in time', new Error('timeout exceeded when trying to connect')],
    ['a query took too long', new Error('Query read timeout')],
    ['the server only reads', ofPostgres('25006')],
    ['the role may not log in', ofPostgres('28000')],
    ['the password is another by now', ofPostgres('28P01')],
    ['the database is gone or has another name', ofPostgres('3D000')],
    ['the database lets nobody in', ofPostgres('55000')],
    ['the role lost a privilege, or the disk has become read-only', ofPostgres('42501')],
    ['the disk is full', ofPostgres('53100')],
    ['a quota of the disk is used up', ofPostgres('XX000', 'could not extend file "base/5/6": Disk quota exceeded')],
    ['memory is short', ofPostgres('53200')],
    ['no connection is left', ofPostgres('53300')],
    ['the disk fails', ofPostgres('58030')],
    ['a file of the database is missing', ofPostgres('58P01')],
    ['the postmaster dies', ofPostgres('XX000', 'postmaster was shut down, exiting')],
    ['a server behind the server ends', ofPostgres('XX000', 'terminating connection due to administrator command')],
    ['no way leads to the host', ofSystem('EHOSTUNREACH')],
    ['no way leads to the network', ofSystem('ENETUNREACH')],
    ['this process has too many files open', ofSystem('EMFILE')],
    ['this machine has too many files open', ofSystem('ENFILE')],
    ['the socket of Postgres is not there', new Error('connect ENOENT /run/postgresql/.s.PGSQL.5432')],
    ['PgBouncer has no connection left', ofPostgres('08P01', 'query_wait_timeout', { severity: 'FATAL' })],
  ])('is 503 when %s, wrapped or not', (_, error) => {
    for (const thrown of [error, wrapped(error)]) {
      expect(problemOfPostgres(thrown)).toMatchObject({ code: 'service_unavailable' });
    }
  });

  it('is 503 when the connection was lost between two statements', () => {
    for (const error of [new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()]) {
      expect(problemOfPostgres(error)).toMatchObject({ code: 'service_unavailable' });
    }
  });

  it('is a defect when the data are damaged: waiting does not help', () => {
    expect(['XX001', 'XX002'].map((code) => problemOfPostgres(ofPostgres(code)))).toEqual([undefined, undefined]);
  });

  it('is a bad request when a text is none that it can hold', () => {
    for (const code of ['22021', '22P05']) {
      expect(problemOfPostgres(wrapped(ofPostgres(code)))?.code).toBe('invalid_request');
    }
  });

  it('is a defect when Postgres does not understand what it is told', () => {
    for (const code of ['42601', '08P01', '25P02', '0A000', 'XX000']) {
      expect(problemOfPostgres(wrapped(ofPostgres(code)))).toBeUndefined();
    }
    const fatal = { severity: 'FATAL', routine: 'SocketBackend' };
    expect(problemOfPostgres(ofPostgres('08P01', 'invalid frontend message type 0', fatal))).toBeUndefined();
    expect(problemOfPostgres(new TypeError('x is not a function'))).toBeUndefined();
  });

  it('of a server that Citus spreads tables over is known by its message', () => {
    const taken = ofPostgres('XX000', 'duplicate key value violates unique constraint "idempotency_keys_pkey_102134"');
    const locked = ofPostgres('XX000', 'canceling statement due to lock timeout');
    expect(problemOfPostgres(taken)).toMatchObject({ code: 'conflict' });
    expect(problemOfPostgres(wrapped(taken))).toMatchObject({ code: 'conflict' });
    expect(problemOfPostgres(locked)).toMatchObject({ code: 'service_unavailable' });
  });

  it('is tried again for a deadlock or a serialisation failure alone', () => {
    const errors = ['40P01', '40001', '57P01', '23505'].map((code) => ofPostgres(code));
    expect(errors.map(isRetryable)).toEqual([true, true, false, false]);
    expect(errors.map(wrapped).map(isRetryable)).toEqual([true, true, false, false]);
    expect(isRetryable(ofSystem('EPIPE'))).toBe(false);
  });

  it('leaves open what became of a transaction when the connection ended, and nothing when a statement was refused', () => {
    const ended = [ofPostgres('57P01'), ofPostgres('08006'), ofSystem('ECONNRESET'), new Error('Query read timeout')];
    expect(ended.map(isOfServer)).toEqual([true, true, true, true]);
    const refused = ['23505', '55P03', '25P02', '57014'];
    expect(refused.map((code) => isOfServer(ofPostgres(code)))).toEqual([false, false, false, false]);
  });

  it('ends the connection that it came on when the server ends it, or only reads', () => {
    const spent = ['25006', '57P01', '57P02', '57P05', '08006', '25P03'].map((code) => ofPostgres(code));
    expect([...spent, new Error('Query read timeout')].filter((error) => !endsConnection(error))).toEqual([]);
    const sound = ['53100', '53200', '58030', '42501', '55P03', '23505', '40001', '08P01'];
    expect(sound.filter((code) => endsConnection(ofPostgres(code)))).toEqual([]);
  });

  it('speaks of the server, unless another statement or the statement itself was the reason', () => {
    const server = ['25006', '57P01', '53100', '58030', '28000', '3D000'];
    expect(server.filter((code) => !isOfServer(ofPostgres(code)))).toEqual([]);
    const statement = ['55P03', '57014', '40001', '40P01', '23505', '23514', '53400', '42601'];
    expect(statement.filter((code) => isOfServer(ofPostgres(code)))).toEqual([]);
  });
});
