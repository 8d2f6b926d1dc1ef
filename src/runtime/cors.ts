export const RUNTIME_PREFIX = '/api/v1/runtime/';

const OPEN = {
  origin: '*',
  methods: ['GET', 'POST'],
  allowedHeaders: ['content-type', 'idempotency-key'],
  exposedHeaders: ['Retry-After', 'Request-Id'],
  maxAge: 86_400,
};

const CLOSED = { origin: false };

/** Widgets run on any site: the runtime interface answers every origin, without credentials. Nothing else has CORS. */
export const corsOptions = {
  delegator: (request: { url: string }, callback: (error: null, options: object) => void): void =>
    callback(null, request.url.startsWith(RUNTIME_PREFIX) ? OPEN : CLOSED),
};
