import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { isRefusal, isRetryable, problemOfPostgres } from './postgres-errors';

const ofPostgres = (code: string) => Object.assign(new DatabaseError('failed', 6, 'error'), { code });
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
  ])('is 503 when %s, wrapped or not', (_, error) => {
    for (const thrown of [error, wrapped(error)]) {
      expect(problemOfPostgres(thrown)).toMatchObject({ code: 'service_unavailable' });
    }
  });

  it('is 503 when the connection was lost between two statements', () => {
    expect(problemOfPostgres(new QueryRunnerAlreadyReleasedError())).toMatchObject({ code: 'service_unavailable' });
  });

  it('is a defect when Postgres does not understand what it is told', () => {
    expect(problemOfPostgres(wrapped(ofPostgres('42601')))).toBeUndefined();
    expect(problemOfPostgres(new TypeError('x is not a function'))).toBeUndefined();
  });

  it('is tried again for a deadlock or a serialisation failure alone', () => {
    const errors = ['40P01', '40001', '57P01', '23505'].map(ofPostgres);
    expect(errors.map(isRetryable)).toEqual([true, true, false, false]);
    expect(errors.map(wrapped).map(isRetryable)).toEqual([true, true, false, false]);
    expect(isRetryable(ofSystem('EPIPE'))).toBe(false);
  });

  it('leaves open what became of a transaction when the connection ended, and nothing when a statement was refused', () => {
    const ended = [ofPostgres('57P01'), ofPostgres('08006'), ofSystem('ECONNRESET'), new Error('Query read timeout')];
    expect(ended.map(isRefusal)).toEqual([false, false, false, false]);
    expect(['23505', '55P03', '25P02', '57014'].map(ofPostgres).map(isRefusal)).toEqual([true, true, true, true]);
  });
});
