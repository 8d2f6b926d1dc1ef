import type { Plugin } from 'esbuild';

export declare const forBrowser: { alias: Record<string, string>; plugins: Plugin[] };
