import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { groupBy } from '../src/platform/common/group-by';

const SRC = resolve(__dirname, '../src');

/** A module may import from those before it, never from those after it. */
const ORDER = [
  'settings',
  'platform/common',
  'platform/text',
  'platform/internals',
  'platform/api',
  'platform/metrics',
  'platform/http',
  'platform/database',
  'platform/mail',
  'outbox',
  'tenancy',
  'workspaces',
  'privacy',
  'images',
  'conditions',
  'offers',
  'flows',
  'sessions',
  'billing-jobs',
  'runtime',
  'people',
  'exit',
  'billing',
  'events',
  'records',
  'statistics',
  'configuration',
  'test-workspaces',
  'app',
  'commands',
];

/** Modules whose tables are filled by one that comes later. */
const WORKS_ON: Record<string, string> = { outbox: 'events', sessions: 'runtime', 'billing-jobs': 'billing' };

/** Runs programs of the system: hands them an environment, and waits for them with deadlines. */
const CHILD_PROCESSES = 'platform/database/embedded/';

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const imports = [...text.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(([, target]) =>
      relative(SRC, `${resolve(SRC, dirname(path), target)}.ts`),
    );
    return { path, text, imports, module: moduleOf(path) };
  });

/**
 * The innermost module that a file is in, or undefined for the files that put the whole together, and for the settings.
 */
function moduleOf(path: string): string | undefined {
  return ORDER.filter((module) => path.startsWith(`${module}/`)).toSorted((a, b) => b.length - a.length)[0];
}

/** Imports from one module into another. */
const crossings = files.flatMap(({ path, imports, module: from }) =>
  imports.flatMap((target) => {
    const to = moduleOf(target);
    return from && to && to !== from ? [{ from, to, arrow: `${path} → ${target}` }] : [];
  }),
);

function offenders(isOffence: (file: (typeof files)[number]) => boolean): string[] {
  return files.filter(isOffence).map(({ path }) => path);
}

describe('The architecture', () => {
  it('has the modules that it says, and no others', () => {
    expect([...new Set(files.flatMap(({ module }) => module ?? []))].toSorted()).toEqual(ORDER.toSorted());
    expect(offenders(({ path, module }) => !module && path.includes('/'))).toEqual([]);
  });

  it(`points its arrows along ${ORDER.join(' ← ')}`, () => {
    const mayImport = (module: string, other: string) => ORDER.indexOf(other) <= ORDER.indexOf(module);
    expect(crossings.filter(({ from, to }) => !mayImport(from, to)).map(({ arrow }) => arrow)).toEqual([]);
  });

  describe('keeps each table at home', () => {
    /** The module of a table, by its name and by the name of its entity. */
    const homes = new Map(
      files.flatMap(({ text, module }) => {
        const table = /@Entity\((?:\{ name: )?'(\w+)'/.exec(text)?.[1];
        return table ? [[table, module!] as const, [/export class (\w+)/.exec(text)![1], module!] as const] : [];
      }),
    );
    /**
     * The tables that the SQL of a file names behind words such as FROM, and the entities that it hands to a unit of
     * work.
     */
    const namesIn = (text: string, words: RegExp) => {
      const code = text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
      return [...code.matchAll(words)].map(([, name]) => name).filter((name) => homes.has(name));
    };
    const namings = (words: RegExp) =>
      files.flatMap(({ path, text, module }) =>
        namesIn(text, words).map((name) => ({ use: `${path}: ${name}`, module, home: homes.get(name)! })),
      );

    it('writes it only there', () => {
      const exceptions = [
        // The modules of these tables may not import `privacy`, so it declares for how long they are kept.
        ...['idempotency_keys', 'changes'].map((table) => `privacy/retention.service.ts: ${table}`),
        // A made-up past can't be written as it happens.
        ...['Flow', 'FlowVersion', 'FlowSession', 'SessionStep', 'workspaces'].map(
          (name) => `app/example/demo-data.ts: ${name}`,
        ),
      ];
      const writes = [
        ...namings(/\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/g),
        ...namings(/\.(?:insert|update|delete|save|upsert|lock)\(\s*(\w+)/g),
        ...namings(/\.(?:byAge|byMonth|deleteWith)\(\s*'(\w+)'/g),
      ].filter(({ use }) => !exceptions.includes(use));
      expect(writes.length).toBeGreaterThan(100);
      const isAtHome = ({ module, home }: (typeof writes)[number]) => module === home || module === WORKS_ON[home];
      expect(writes.filter((write) => !isAtHome(write)).map(({ use }) => use)).toEqual([]);
    });

    it('reads it only there and in modules that may import its own', () => {
      const reads = namings(/\b(?:FROM|JOIN)\s+(\w+)/g);
      expect(reads.length).toBeGreaterThan(60);
      expect(
        reads.filter(({ module, home }) => module && ORDER.indexOf(module) < ORDER.indexOf(home)).map(({ use }) => use),
      ).toEqual([]);
    });
  });

  it('has at most twelve files in a folder, beside its folders', () => {
    // A file a country.
    const exceptions = ['flows/review'];
    const counts = groupBy(files, ({ path }) => dirname(path));
    const full = [...counts].filter(([folder, { length }]) => length > 12 && !exceptions.includes(folder));
    expect(full.map(([folder]) => folder)).toEqual([]);
  });

  it('has comments that fit on the screen', () => {
    const isComment = (line: string) => /^\s*(\/\/|\/?\*\*? )/.test(line);
    const wide = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (line.length > 120 && isComment(line) ? `${path}:${at + 1}` : [])),
    );
    expect(wide).toEqual([]);
  });

  it('has no circles between files', () => {
    const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
    const done = new Set<string>();
    const visit = (path: string, way: string[]): string[] => {
      if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' → ')];
      if (done.has(path)) return [];
      const circles = (importsOf.get(path) ?? []).flatMap((target) => visit(target, [...way, path]));
      done.add(path);
      return circles;
    };
    expect(files.flatMap(({ path }) => visit(path, []))).toEqual([]);
  });

  it('says in one place what it adds to a request', () => {
    expect(offenders(({ text }) => text.includes("declare module 'fastify'"))).toEqual(['app/fastify.ts']);
  });

  it('puts the core together without what stands around it', () => {
    const around = ORDER.slice(ORDER.indexOf('runtime') + 1).filter((module) => !['app', 'commands'].includes(module));
    const core = files.find(({ path }) => path === 'app/core.module.ts')!;
    expect(core.imports.map(moduleOf).filter((module) => module && around.includes(module))).toEqual([]);
  });

  it('reads the environment in main.ts alone and hands it to settings/config.ts', () => {
    const places = ['main.ts', CHILD_PROCESSES];
    expect(
      offenders(({ path, text }) => !places.some((place) => path.startsWith(place)) && text.includes('process.env')),
    ).toEqual([]);
  });

  it('asks the database for the time, in one place, and no clock of its own', () => {
    const places = ['platform/database/time.ts', CHILD_PROCESSES];
    const reads =
      /new Date\(\)|Date\.now\(|(?<!performance\.)\bnow\(\)|(statement|clock|transaction)_timestamp|current_timestamp/i;
    expect(offenders(({ path, text }) => !places.some((place) => path.startsWith(place)) && reads.test(text))).toEqual(
      [],
    );
  });

  it('sends requests to other services in platform/http/outbound.ts, mail in platform/mail/mailer.ts, traces in app/tracing.ts, and what billing asks with the package of a provider, and nowhere else', () => {
    // The addresses of a billing system and of traces are the operator's, never a tenant's.
    const places = ['platform/http/outbound.ts', 'platform/mail/mailer.ts', 'app/tracing.ts', 'billing/stripe'];
    const client =
      /\bfetch\(|\bhttps?\.(get|request)\(|from '(node:https|node:http2|node:dgram|undici|axios|nodemailer|stripe|@opentelemetry)['/]/;
    expect(offenders(({ path, text }) => !places.some((place) => path.startsWith(place)) && client.test(text))).toEqual(
      [],
    );
  });

  it('knows billing systems by their names in their folders and where they are registered alone, but for examples', () => {
    const registered = ['billing/providers.ts', 'billing-jobs/billing-connection.entity.ts', 'settings/config.ts'];
    const isExample =
      /example|stripe_coupon|stripe_product|provider: 'stripe'|docs\.stripe\.com|'stripe'\)|sub_1Q2w3E|api\/v1\/billing\/stripe/;
    const namings = files
      .filter(({ path }) => !path.startsWith('billing/stripe/') && !registered.includes(path))
      .filter(({ path }) => path !== 'events/sample-session.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) => (/stripe/i.test(line) && !isExample.test(line) ? `${path}:${at + 1}` : [])),
      );
    expect(namings).toEqual([]);
  });

  it('asks the database by entities, by named statements and in batches', () => {
    const places = [
      'platform/',
      'tenancy/work/units-of-work.service.ts',
      // They have connections of their own, beside a service that runs.
      'billing/connections/rotate-encryption-key.ts',
      'people/links/setup-link.ts',
      // What TypeORM has built, and a setting of the transaction.
      'records/sessions.service.ts',
      'statistics/counting/counting.service.ts',
    ];
    expect(
      offenders(({ path, text }) => !places.some((place) => path.startsWith(place)) && /\.query[<(]/.test(text)),
    ).toEqual([]);
  });

  it('begins transactions in two places: of TypeORM, and of statements by hand', () => {
    const places = [
      'platform/database/transaction/transactions.ts',
      'platform/database/transaction/pipeline.service.ts',
      'platform/database/schema/migrate.ts',
    ];
    expect(
      offenders(({ path, text }) => !places.includes(path) && /\.(transaction|startTransaction)\(|'BEGIN'/.test(text)),
    ).toEqual([]);
  });

  it('keeps rules free of frameworks', () => {
    const rules = [
      'workspaces/counters/usage.ts',
      'workspaces/api-keys/api-key-secret.ts',
      'workspaces/customer-keys/customer-token.ts',
      'flows/graph/flow-definition.ts',
      'flows/lookup/slug.ts',
    ];
    expect(rules.filter((rule) => !files.some(({ path }) => path === rule))).toEqual([]);
    expect(offenders(({ path, text }) => rules.includes(path) && /from '(@nestjs|typeorm|fastify)/.test(text))).toEqual(
      [],
    );
  });

  it('keeps HTTP out of services', () => {
    const places = ['app/operation/drain.service.ts'];
    const isHttp = (target: string) => target.startsWith('platform/http/') && target !== 'platform/http/outbound.ts';
    const services = files.filter(({ path }) => path.endsWith('.service.ts') && !path.startsWith('platform/'));
    expect(services.length).toBeGreaterThan(40);
    expect(
      services
        .filter(
          ({ path, text, imports }) => !places.includes(path) && (/from 'fastify/.test(text) || imports.some(isHttp)),
        )
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it("takes the tenant first, a unit of work of it, or the workspace's id in every public method of a service about a workspace's data", () => {
    /**
     * They lead to a workspace, are the operator's or of a person, who may be in several, or go on for all in the
     * background.
     */
    const others = [
      ...['list', 'oldest'].map((method) => `WorkspacesService.${method}`),
      'ApiKeysService.findUsable',
      'WorkspaceCodes.workspaceOf',
      ...['slug', 'version'].map((method) => `FlowLookup.${method}`),
      'FlowChanges.requireOwnSender',
      'ConnectionsService.webhookSecret',
      ...['request', 'waitFor'].map((method) => `EligibilityService.${method}`),
      'StartsService.flowOf',
      ...['find', 'open'].map((method) => `ExitFlows.${method}`),
      'Outbox.onAppended',
      'DigestsService.due',
      'DailySums.sumNext',
      'KeptSessions.add',
      'SessionEnds.dateAll',
      ...['byAge', 'byMonth', 'deleteMonths', 'deleteOld'].map((method) => `Retention.${method}`),
      'ErasureService.add',
      ...['me', 'changePassword', 'signOut', 'signOutEverywhere'].map((method) => `AccountService.${method}`),
      ...['accept', 'read'].map((method) => `InvitationsService.${method}`),
      ...['setPassword', 'setUp'].map((method) => `LinksService.${method}`),
      ...['begin', 'finish'].map((method) => `OpenIdService.${method}`),
      ...['end', 'find'].map((method) => `PersonSessions.${method}`),
      ...['requirePasswords', 'signIn', 'verify', 'ways', 'withAddress'].map((method) => `SignInService.${method}`),
    ];
    const modules = ORDER.slice(ORDER.indexOf('outbox'), ORDER.indexOf('app'));
    const methods = files
      .filter(({ path, module }) => module && modules.includes(module) && path.endsWith('.service.ts'))
      .flatMap(({ text }) => {
        const [, service] = /export class (\w+)/.exec(text)!;
        const found = text.matchAll(
          /^ {2}(?:async )?(?!constructor|onModule|onApplication)(\w+)\(\s*((?:\{[^}]*\}|\w+)(?:: \w+)?|)/gm,
        );
        return [...found].map(([, method, parameter]) => ({ name: `${service}.${method}`, parameter }));
      });
    expect(methods.length).toBeGreaterThan(20);
    expect(
      methods
        .filter(({ parameter }) => !/: (Tenant|Work|Reader)$|^workspaceId/.test(parameter))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(others.toSorted());
  });

  it('has no barrels and no forwardRef', () => {
    expect(offenders(({ path, text }) => basename(path) === 'index.ts' || text.includes('forwardRef'))).toEqual([]);
  });
});
