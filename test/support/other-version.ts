import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformSync } from '@swc/core';
import { git, newestRelease } from './releases';

const ROOT = resolve(__dirname, '../..');
const INITIAL = 'migrations/1796000000000-initial.ts';
const COMPILER = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
} as const;

/** A migration of a test. Its statements run one after the other. */
export interface TestMigration {
  name: string;
  statements: string[];
  transaction?: false;
}

/** Another version of the service, which runs beside the one that is tested. */
export class OtherVersion {
  private static readonly folders: string[] = [];

  private constructor(
    /** To be started with `ServiceProcess.start`. */
    readonly main: string,
  ) {}

  /**
   * The newest release that the history has; before the first one, the code for which the schema was last made anew.
   * What it needs of packages has to be installed.
   */
  static previous(): OtherVersion {
    const commit = newestRelease() ?? git('log', '-1', '--format=%H', '--', join(ROOT, INITIAL));
    const folder = OtherVersion.folder();
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1e9 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return OtherVersion.compiled(folder);
  }

  /** This version with further migrations. */
  static with(...added: TestMigration[]): OtherVersion {
    const folder = OtherVersion.folder();
    for (const path of ['src', 'migrations', 'client', 'web', 'docs/openapi.json', 'package.json', 'tsconfig.json']) {
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    }
    const classes = added.map(
      ({ name, statements, transaction }) => `class ${name} {
        ${transaction === undefined ? '' : `transaction = ${transaction};`}
        async up(runner: any) { for (const sql of ${JSON.stringify(statements)}) await runner.query(sql); }
      }
      migrations.push(${name} as never);`,
    );
    const list = join(folder, 'src/platform/database/schema/migrations.ts');
    writeFileSync(list, [readFileSync(list, 'utf8'), ...classes].join('\n'));
    return OtherVersion.compiled(folder);
  }

  /** For the end of the tests. */
  static removeAll(): void {
    for (const folder of OtherVersion.folders.splice(0)) rmSync(folder, { recursive: true });
  }

  private static folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'other-version-'));
    OtherVersion.folders.push(folder);
    return folder;
  }

  /** Each file becomes JavaScript at its place, as tests run it. */
  private static compiled(folder: string): OtherVersion {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const part of ['src', 'migrations']) {
      for (const path of readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })) {
        if (!path.endsWith('.ts') || path.endsWith('.spec.ts')) continue;
        const file = join(folder, part, path);
        const { code } = transformSync(readFileSync(file, 'utf8'), { filename: file, swcrc: false, ...COMPILER });
        writeFileSync(file.replace(/ts$/, 'js'), code);
      }
    }
    execFileSync(process.execPath, ['web/build.mjs', 'web/dist'], { cwd: folder });
    return new OtherVersion(join(folder, 'src/main.js'));
  }
}
